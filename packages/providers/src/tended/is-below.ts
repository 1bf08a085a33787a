/** Pure: whether a path is a folder or lies in it. One that goes up again is in none: nobody knows what of. */
export const isBelow = (path: string, folder: string): boolean =>
  !path.split('/').includes('..') && (path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`))
