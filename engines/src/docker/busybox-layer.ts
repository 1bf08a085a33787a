/** The files of the test image: busybox under all its names, and what programs expect to find around them. */
import { tar } from '../tar.ts'

export function busyboxLayer(busybox: Uint8Array, applets: readonly string[]): Buffer {
  const folders = ['bin', 'dev', 'etc', 'proc', 'root', 'sys', 'var'].map((path) => ({ path, folder: true }) as const)
  // It names itself too: a link to itself would take its place.
  const links = applets.filter((name) => name !== 'busybox')
  return tar([
    ...folders,
    { path: 'tmp', folder: true, mode: 0o1777 },
    { path: 'etc/passwd', content: 'root:x:0:0:root:/root:/bin/sh\nnobody:x:65534:65534:nobody:/:/bin/false\n' },
    { path: 'etc/group', content: 'root:x:0:\nnobody:x:65534:\n' },
    { path: 'bin/busybox', content: busybox, mode: 0o755 },
    ...links.map((name) => ({ path: `bin/${name}`, link: 'busybox' })),
  ])
}
