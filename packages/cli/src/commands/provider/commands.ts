import { command } from '../../command/command.ts'
import { outputFlag, selectorFlag } from '../../command/global-flags.ts'

const which = { name: 'NAME', about: 'the provider', offer: { objects: 'providers' } } as const

export const providerAddCommand = command({
  words: ['provider', 'add'],
  about: 'Let workloads run on another engine',
  more: [
    'For docker, the engine of this machine is looked for as its own programs do: $DOCKER_HOST, the usual socket, that of a daemon without root.',
    'For kubernetes, one context of the kubeconfig of who is here ($KUBECONFIG, else ~/.kube/config) is kept as a Secret of the tenant, with the files that it names in it. Where it signs in with a program, or where the server has its own, name a file of the server with --server-kubeconfig.',
    'Says what was found, and what is limited there. Where the server cannot reach it, nothing is added.',
  ],
  args: [
    { name: 'TYPE', about: 'which adapter speaks to it', offer: { words: ['docker', 'kubernetes', 'local'] } },
    { name: 'NAME', about: 'what workloads call it in spec.provider; left out: as its type', optional: true },
  ],
  flags: [
    {
      name: 'tenants',
      value: 'NAMES',
      about: 'Who may use it, with commas, or * for everybody; left out: the tenant "default"',
    },
    { name: 'default', about: 'For workloads that name none; only one can be' },
    { name: 'region', value: 'NAME', about: 'Where it is, in a word of your own' },
    {
      name: 'endpoint',
      value: 'ADDRESS',
      about: 'Docker: where it listens as the server sees it, unix:///path or tcp://host:port; left out: looked for',
    },
    {
      name: 'tls-dir',
      value: 'DIR',
      about: 'Docker on tcp: the folder with ca.pem, cert.pem and key.pem, which are kept as a Secret of the tenant',
      offer: 'files',
    },
    {
      name: 'tls-secret',
      value: 'NAME',
      about: 'Docker on tcp: a Secret of the tenant that has them already, as ca, cert and key',
      offer: { objects: 'secrets' },
    },
    {
      name: 'subnets',
      value: 'RANGE',
      about: 'Docker: the range that networks of tenants are taken from, such as 10.120.0.0/16',
    },
    {
      name: 'host-folder',
      value: 'DIR',
      many: true,
      about:
        'Docker, Kubernetes: a folder of its machines that volumes of type host may be in; may be given more than once',
    },
    {
      name: 'docker-config',
      value: 'DIR',
      about: 'Docker: the folder of its own settings on the server, for registry accounts of whoever names none',
    },
    {
      name: 'kubeconfig',
      value: 'FILE',
      about: 'Kubernetes: the file of this machine to take it from; left out: $KUBECONFIG, else ~/.kube/config',
      offer: 'files',
    },
    {
      name: 'kube-context',
      value: 'NAME',
      about: 'Kubernetes: which context of the kubeconfig; left out: its current one',
    },
    {
      name: 'kubeconfig-secret',
      value: 'NAME',
      about: 'Kubernetes: a Secret of the tenant that has the kubeconfig already, as kubeconfig',
      offer: { objects: 'secrets' },
    },
    {
      name: 'server-kubeconfig',
      value: 'PATH',
      about: 'Kubernetes: a kubeconfig on the server, whose programs and files are those of the server',
    },
    { name: 'in-cluster', about: 'Kubernetes: the cluster that the server itself runs in' },
    {
      name: 'namespace',
      value: 'NAME',
      about: 'Kubernetes: one namespace for all tenants; left out: each has its own',
    },
    {
      name: 'namespace-prefix',
      value: 'WORD',
      about: "Kubernetes: what names of tenants' namespaces begin with; left out: gantry",
    },
    {
      name: 'pull-secret',
      value: 'NAME',
      many: true,
      about: 'Kubernetes: a Secret of the cluster that images are fetched with; may be given more than once',
    },
    {
      name: 'chart-folder',
      value: 'DIR',
      many: true,
      about: 'Kubernetes: a folder of the server that charts named by path may be in; may be given more than once',
    },
    {
      name: 'drain-seconds',
      value: 'NUMBER',
      number: true,
      about: 'Kubernetes: how long a pod still answers after it began to leave; left out: 6',
    },
  ],
  examples: [
    { line: 'gantry provider add docker', about: 'The Docker Engine of this machine' },
    { line: 'gantry provider add local --tenants "*" --default', about: 'This machine, for everybody' },
    {
      line: 'gantry provider add docker east --endpoint tcp://10.0.0.5:2376 --tls-dir certs --tenants acme,shop',
      about: 'The one of another machine, for two tenants',
    },
    {
      line: 'gantry provider add kubernetes prod --kube-context prod --tenants "*"',
      about: 'A cluster, as kubectl knows it here',
    },
  ],
})

export const providerLsCommand = command({
  words: ['provider', 'ls'],
  about: 'The engines that workloads can run on',
  more: ['Who may not see all of the installation sees those that the tenant may use.'],
  args: [],
  flags: [outputFlag, selectorFlag],
  examples: [{ line: 'gantry provider ls -o wide', about: 'Also who may use each' }],
})

export const providerDescribeCommand = command({
  words: ['provider', 'describe'],
  about: 'How an engine is, and what it can do',
  args: [which],
  flags: [],
  examples: [{ line: 'gantry provider describe local', about: 'Health, version, and what is limited there' }],
})

export const providerRmCommand = command({
  words: ['provider', 'rm'],
  about: 'Take an engine away; refused while workloads are there',
  args: [{ ...which, many: true }],
  flags: [],
  examples: [{ line: 'gantry provider rm east', about: 'What runs elsewhere goes on' }],
})
