/** The objects of a kind, whichever it is: what a client has under its plural, found by its face. */
import type { Client, KindClient, ListClient, LookClient } from '@gantry/api'
import { type AnyFace, Fault, type GantryObject } from '@gantry/core'

/** Objects of all kinds are read alike; what is shown of one is the business of its face. */
export type AnyObject = GantryObject

export type AnyList = ListClient<'Workload'>
export type AnyLook = LookClient<'Workload'>
export type AnyKindClient = KindClient<'Workload'>

/** Those of one tenant, or those of the installation where the kind is the installation's. */
export function objectsOf(client: Client, tenant: string, face: AnyFace): AnyLook {
  const place = face.scope === 'system' ? client : client.tenant(tenant)
  return (place as unknown as Record<string, AnyLook>)[face.plural] ?? missing(face)
}

/** The same of all tenants. */
export function everywhere(client: Client, face: AnyFace): AnyList {
  return (client as unknown as Record<string, AnyList>)[face.plural] ?? missing(face)
}

/** Those that a person may write. */
export function writable(client: Client, tenant: string, face: AnyFace): AnyKindClient {
  if (face.madeBy === 'controllers') {
    const what = `${face.plural} are made by the server and can only be looked at`
    throw new Fault('kind_not_writable', `${what}; change the workload that they are made from`)
  }
  return objectsOf(client, tenant, face) as AnyKindClient
}

function missing({ plural }: AnyFace): never {
  throw new Fault('capability_missing', `This version of gantry cannot reach ${plural}`)
}
