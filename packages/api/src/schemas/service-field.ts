/** What of a replica is meant: a service by name, or an object of a source, such as deployment/web. */
import { z } from 'zod'

export const serviceField = z
  .string()
  .max(400)
  .regex(
    /^[a-z0-9](?:[-.a-z0-9]*[a-z0-9])?(?:\/[a-z0-9](?:[-.:a-z0-9]*[a-z0-9])?)?$/,
    'must be the name of a service, or of an object such as deployment/web',
  )
