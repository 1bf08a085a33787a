/** A test on a real cluster, with an installation and namespaces of its own that are cleared away after it. */
import { kubernetesHarness } from './kubernetes-harness.ts'
import { kubernetesRig } from './kubernetes-rig.ts'
import { onEngine } from './on-engine.ts'

export const { shared: onKubernetes, at: onCluster } = onEngine({ reach: kubernetesRig, open: kubernetesHarness })
