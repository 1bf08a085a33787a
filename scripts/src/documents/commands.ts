/** Every command that a page shows in a block, and what proves that it works. */
export type Proof =
  /** Run by a test, which holds it to this exit code and this output. */
  | { readonly run: readonly string[]; readonly code: number; readonly prints: RegExp }
  /** Run by this file, which has the command in it word for word. */
  | { readonly by: string }

const npm = (...args: readonly string[]): readonly string[] => ['npm', ...args]

const inDockerGuide: Proof = { by: 'packages/cli/src/guides/docker.test.ts' }
const inKubernetesGuide: Proof = { by: 'packages/cli/src/guides/kubernetes.test.ts' }

export const documentedProofs: Readonly<Record<string, Proof>> = {
  'npm ci && npm test': { by: '.ci/run' },
  'npm ci && npm start': { by: 'packages/server/src/whole/npm-start.test.ts' },
  'curl http://hello.default.localhost:7480/': { by: 'packages/server/src/whole/npm-start.test.ts' },
  'npx gantry provider add docker': inDockerGuide,
  'docker build -t hello-docker examples/docker': inDockerGuide,
  'npx gantry up -f examples/docker/gantry.yaml': inDockerGuide,
  'curl http://hello-docker.default.localhost:7480/': inDockerGuide,
  'npx gantry logs hello-docker --tail 5': inDockerGuide,
  'npx gantry exec hello-docker -- node --version': inDockerGuide,
  'npx gantry top hello-docker': inDockerGuide,
  'npx gantry deploy hello-docker --env GREETING=welcome --wait': inDockerGuide,
  'docker build -t hello-docker --build-arg BUILT=again examples/docker': inDockerGuide,
  'npx gantry deploy hello-docker --wait': inDockerGuide,
  'npx gantry rollback hello-docker --wait': inDockerGuide,
  'npx gantry delete workload hello-docker --wait': inDockerGuide,
  'npx gantry provider rm docker': inDockerGuide,
  'npx gantry provider add kubernetes': inKubernetesGuide,
  'npx gantry up -f examples/kubernetes/gantry.yaml': inKubernetesGuide,
  'curl http://hello-kubernetes.default.localhost:7480/': inKubernetesGuide,
  'npx gantry logs hello-kubernetes --tail 5': inKubernetesGuide,
  'npx gantry exec hello-kubernetes -- node --version': inKubernetesGuide,
  'npx gantry deploy hello-kubernetes --env GREETING=welcome --wait': inKubernetesGuide,
  'npx gantry rollback hello-kubernetes --wait': inKubernetesGuide,
  'npx gantry apply -f examples/kubernetes/manifests/gantry.yaml --wait': inKubernetesGuide,
  'npx gantry ps hello-manifests -o wide': inKubernetesGuide,
  'curl http://hello-manifests.default.localhost:7480/': inKubernetesGuide,
  'npx gantry apply -f examples/kubernetes/chart/gantry.yaml --wait': inKubernetesGuide,
  'curl http://hello-chart.default.localhost:7480/': inKubernetesGuide,
  'helm list --namespace gantry-default': inKubernetesGuide,
  'npx gantry rollout history hello-chart': inKubernetesGuide,
  'npx gantry delete workload hello-kubernetes hello-manifests hello-chart --wait': inKubernetesGuide,
  'npx gantry provider rm kubernetes': inKubernetesGuide,
  'npx gantry secret rm kubernetes-kubernetes': inKubernetesGuide,
  'npm run check': { run: npm('run', 'check'), code: 0, prints: / 0 offences\n/ },
  'npm run engines -- doctor': { run: npm('run', 'engines', '--', 'doctor'), code: 0, prints: /^postgres +\S+ +\w+:/m },
  'npm run engines -- up postgres': {
    run: npm('run', 'engines', '--', 'up', 'postgres'),
    code: 0,
    prints: /^postgres:\/\/\S+$/m,
  },
  'npm run engines -- down': { run: npm('run', 'engines', '--', 'down'), code: 0, prints: /^postgres: \w+/m },
}
