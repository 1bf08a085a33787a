import { z } from 'zod'
import { instanceStates } from '../../instance-state.ts'
import { defineKind } from '../define-kind.ts'
import { commonStatus } from '../envelope.ts'
import { slots } from '../instance/slot.ts'
import { completeWorkload } from './complete.ts'
import { workloadFace } from './face.ts'
import { workloadRules } from './rules/index.ts'
import { workloadFields } from './spec.ts'

export const workloadStatus = z.strictObject({
  ...commonStatus,
  state: z.enum(instanceStates).optional().describe('The worst of its replicas'),
  release: z.int().min(1).optional().describe('The number of the release that runs'),
  replicas: z.int().min(0).optional().describe('Replicas that are there'),
  readyReplicas: z.int().min(0).optional().describe('Replicas that are ready'),
  restarts: z.int().min(0).optional().describe('How often services of the replicas that are there were started anew'),
  releases: z.int().min(0).optional().describe('How many releases were ever made'),
  asked: z.string().optional().describe('A hash of what the newest rollout was made for; another one makes another'),
  stable: z.enum(slots).optional().describe('The slot that is trusted'),
  rollout: z.string().optional().describe('The name of the newest rollout'),
  failedRelease: z
    .int()
    .min(1)
    .optional()
    .describe('The release that failed and was rolled back; it is not tried again until something changes'),
})

export type WorkloadStatus = z.output<typeof workloadStatus>

export const workloadKind = defineKind({
  ...workloadFace,
  spec: workloadFields,
  status: workloadStatus,
  complete: completeWorkload,
  rules: workloadRules,
  reserved: {
    'spec.autoscale': 'scaling by load comes in a later version',
    'spec.hooks': 'hooks come in a later version',
    'spec.jobs': 'jobs come in a later version',
    'spec.cron': 'jobs by the clock come in a later version',
    'spec.source.argo': 'Argo CD applications come in a later version',
    'spec.source.manifests.files':
      'the command line reads files and sends what is in them, as text; the API takes that alone',
    'spec.source.helm.chart.folder': 'the command line packs folders, and sends an archive; the API takes that alone',
    'spec.source.helm.chart.file': 'the command line reads files, and sends an archive; the API takes that alone',
    'spec.engine.docker': 'Docker has nothing to be wished for beyond the rest of the spec yet',
    'spec.engine.nomad': 'wishes to Nomad come with its provider',
  },
  variants: ['strategy'],
})
