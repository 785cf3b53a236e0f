/** Owns the ways in which a path is turned into a way out while somebody uses it, and back. */
import {
  existsSync,
  linkSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'

export interface Folders {
  readonly workspace: string
  /** Holds `secret.txt`, `plain.txt` and `folder/secret.txt`. */
  readonly outside: string
}

export interface Shape {
  readonly name: string
  /** What a call names, relative to the workspace. */
  readonly path: string
  /** The honest state. */
  lay(place: Folders): void
  out(place: Folders): void
  back(place: Folders): void
}

const folder = 'race'

export const shapes: readonly Shape[] = [
  {
    name: 'file for a link',
    path: `${folder}/secret.txt`,
    lay: (place) => file(place, 'secret.txt'),
    out: (place) => over(place, 'secret.txt', (next) => symlinkSync(join(place.outside, 'secret.txt'), next)),
    back: (place) => over(place, 'secret.txt', (next) => writeFileSync(next, 'inside')),
  },
  {
    name: 'folder for a link',
    path: `${folder}/folder/secret.txt`,
    lay: (place) => file(place, 'folder/secret.txt'),
    out(place) {
      renameSync(at(place, 'folder'), at(place, '.away'))
      symlinkSync(join(place.outside, 'folder'), at(place, 'folder'))
    },
    back(place) {
      unlinkSync(at(place, 'folder'))
      renameSync(at(place, '.away'), at(place, 'folder'))
      again(place, 'folder/secret.txt')
    },
  },
  {
    name: 'link behind a link',
    path: `${folder}/first/secret.txt`,
    lay(place) {
      file(place, 'inside/secret.txt')
      symlinkSync('second', at(place, 'first'))
      symlinkSync('inside', at(place, 'second'))
    },
    out: (place) => over(place, 'second', (next) => symlinkSync(join(place.outside, 'folder'), next)),
    back(place) {
      over(place, 'second', (next) => symlinkSync('inside', next))
      again(place, 'inside/secret.txt')
    },
  },
  {
    name: 'file deleted and made a link',
    path: `${folder}/secret.txt`,
    lay: (place) => file(place, 'secret.txt'),
    out(place) {
      rmSync(at(place, 'secret.txt'), { force: true })
      symlinkSync(join(place.outside, 'secret.txt'), at(place, 'secret.txt'))
    },
    back(place) {
      rmSync(at(place, 'secret.txt'), { force: true })
      writeFileSync(at(place, 'secret.txt'), 'inside', { flag: 'wx' })
    },
  },
  {
    name: 'link to what is not there yet',
    path: `${folder}/new.txt`,
    lay: (place) => void mkdirSync(at(place, '.'), { recursive: true }),
    out: (place) => symlinkSync(join(place.outside, 'new.txt'), at(place, 'new.txt')),
    back: (place) => rmSync(at(place, 'new.txt'), { force: true }),
  },
  {
    name: 'second name of a file outside',
    path: `${folder}/plain.txt`,
    // The same content as outside, so that only what is done to the file can tell them apart.
    lay: (place) => file(place, 'plain.txt', 'no secret'),
    out: (place) => over(place, 'plain.txt', (next) => linkSync(join(place.outside, 'plain.txt'), next)),
    back: (place) => over(place, 'plain.txt', (next) => writeFileSync(next, 'no secret', { flag: 'wx' })),
  },
]

/** Nothing of this leads out; it is what a change of identity looks like. */
export const exchanged: Shape = {
  name: 'another folder in its place',
  path: `${folder}/box`,
  lay(place) {
    file(place, 'box/mine.txt')
    file(place, 'other/kept.txt')
  },
  out(place) {
    renameSync(at(place, 'box'), at(place, '.away'))
    renameSync(at(place, 'other'), at(place, 'box'))
  },
  back(place) {
    renameSync(at(place, 'box'), at(place, 'other'))
    renameSync(at(place, '.away'), at(place, 'box'))
  },
}

export function clear({ workspace }: Folders): void {
  rmSync(join(workspace, folder), { recursive: true, force: true })
}

function at({ workspace }: Folders, name: string): string {
  return join(workspace, folder, name)
}

function file(place: Folders, name: string, content = 'inside'): void {
  mkdirSync(join(at(place, name), '..'), { recursive: true })
  writeFileSync(at(place, name), content)
}

/** What a call took away. */
function again(place: Folders, name: string): void {
  if (!existsSync(at(place, name))) writeFileSync(at(place, name), 'inside', { flag: 'wx' })
}

/** In one step: whoever looks finds the one or the other. */
function over(place: Folders, name: string, make: (next: string) => void): void {
  const next = at(place, '.next')
  rmSync(next, { force: true })
  make(next)
  renameSync(next, at(place, name))
}
