/** What takes rules to the kernel, and the libraries of it that a bare machine may lack. */
export const iptablesPackages = [
  'iptables',
  'libip4tc2',
  'libip6tc2',
  'libxtables12',
  'libmnl0',
  'libnetfilter-conntrack3',
  'libnfnetlink0',
  'libnftnl11',
] as const
