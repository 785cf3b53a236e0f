/** Owns paths of the workspace as a person writes them. */
export const pathIn = (folder: string, name: string): string => (folder === '.' ? name : `${folder}/${name}`)

/** One name: no way into another folder. */
export const isName = (name: string): boolean =>
  name !== '' && name !== '.' && name !== '..' && !/[/\\\p{Cc}]/u.test(name)

/** A path below the workspace, `.` for the workspace itself. */
export const isPath = (path: string): boolean => path === '.' || path.split('/').every(isName)

export const folderOf = (path: string): string =>
  path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '.'
