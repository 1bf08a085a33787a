import { command } from '../../command/command.ts'
import { waitFlag } from '../../command/global-flags.ts'

export const scaleCommand = command({
  words: ['scale'],
  about: 'Change how many replicas a workload has, or what a service may use',
  more: ['Another number of replicas restarts nothing. Other limits make a release, which is rolled out.'],
  args: [
    { name: 'NAME', about: 'the workload', offer: { objects: 'workloads' } },
    { name: 'REPLICAS', about: 'how many; left out: as many as now', optional: true },
  ],
  flags: [
    { name: 'cpu', value: 'CORES', about: 'Cores that the service may use, such as 500m or 2' },
    { name: 'memory', value: 'BYTES', about: 'Memory that it may use, such as 256Mi' },
    { name: 'disk', value: 'BYTES', about: 'How much it may write, such as 1Gi' },
    { name: 'gpu', value: 'COUNT', number: true, about: 'How many of them' },
    { name: 'service', value: 'NAME', about: 'Which service the limits are for; left out: the main one' },
    waitFlag,
  ],
  examples: [
    { line: 'gantry scale web 5 --wait', about: 'Five replicas, until they are ready' },
    { line: 'gantry scale web --memory 512Mi --service api', about: 'More memory for one of its services' },
  ],
})
