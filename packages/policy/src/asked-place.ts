/**
 * Owns at which places of the workspace a wish holds: at those that the operator's words name; and where they name none,
 * at those that the task was at before anybody else had spoken to it. Pure; in doubt at none.
 */
import { isLook } from '@countersign/contract'
import { isNobodysOrder, isSetting } from './plain-document.ts'
import type { CallInTask, TaskSoFar } from './task-so-far.ts'
import { type Bounds, ofPath, standsWhole } from './whole-in.ts'

type Spoken = Pick<TaskSoFar, 'said' | 'chosen'>

/** What was there may change only at a place that the operator said to the byte, or that was chosen in their task alone. */
export function isAtPlace(
  paths: readonly string[],
  target: string | null,
  call: CallInTask,
  soFar: Spoken,
): boolean {
  if (paths.length === 0) return false
  if (target === null) return isAtChosenPlace(paths, call, soFar)
  const place = placeOf(target)
  if (place === undefined) return false
  const isSaid = (path: string) => wasSaid(path, soFar.said) || wasSaid(`${path}/`, soFar.said)
  const isSaidFolder = isSaidAsPlace(place, call, soFar.said)
  return paths.every(
    (path) =>
      (path === place || path.startsWith(`${place}/`)) &&
      (isSaid(path) || (isSaidFolder && !isSetting(path))),
  )
}

/** The repositories that git works in; a folder that is none is no place for it. */
export function isInRepository(
  folders: readonly string[],
  target: string | null,
  call: CallInTask,
  soFar: Spoken,
): boolean {
  if (folders.length === 0) return false
  if (target === null && isOfRepository(call, meant(soFar))) return true
  return folders.every(
    (folder) => (target === null || folder === placeOf(target)) && isSaidAsPlace(folder, call, soFar.said),
  )
}

/** Whole, to the byte. */
export function wasSaid(name: string, said: readonly string[]): boolean {
  return name !== '' && said.some((words) => standsWhole(words, name, ofPath))
}

/** `src` is a word as well; `src/`, `parcel-api` and `notes/2026` are places, and so is the name of a repository. */
function isSaidAsPlace(place: string, call: CallInTask, said: readonly string[]): boolean {
  const repositories = repositoriesOf(call)
  const isRepository = repositories.length > 0 && repositories.every((each) => each === place)
  return wasSaid(`${place}/`, said) || ((/[\d/._-]/.test(place) || isRepository) && wasSaid(place, said))
}

/**
 * A file that the task had looked at, or one of a repository that it had been in. Programs look for settings by their
 * names, so of these only one that the task had open and whose name was said.
 */
function isAtChosenPlace(paths: readonly string[], call: CallInTask, soFar: Spoken): boolean {
  const places = meant(soFar)
  const isIn = isOfRepository(call, places)
  return paths.every((path) => {
    const wasOpen = places.includes(path)
    const name = path.slice(path.lastIndexOf('/') + 1)
    return isSetting(path) ? wasOpen && wasSaid(name, soFar.said) : wasOpen || isIn
  })
}

function isOfRepository(call: CallInTask, places: readonly string[]): boolean {
  const repositories = repositoriesOf(call)
  const isChosen = (place: string) => places.some((path) => `${path}/`.startsWith(`${place}/`))
  return (
    repositories.length > 0 &&
    repositories.every((each) => each !== null && isNobodysOrder(`${each}/_`) && isChosen(each))
  )
}

/** Where the words speak of some of these places, in whatever form, they mean no other. */
function meant({ said, chosen }: Spoken): string[] {
  const named = new Set([...chosen].flatMap(withFoldersAbove).filter((place) => isSpokenOf(place, said)))
  const isMeant = (path: string) => withFoldersAbove(path).some((place) => named.has(place))
  return [...chosen].filter((path) => named.size === 0 || isMeant(path))
}

function withFoldersAbove(path: string): string[] {
  const parts = path.split('/')
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'))
}

function isSpokenOf(place: string, said: readonly string[]): boolean {
  return said.some((words) => standsWhole(words, place, ofWord))
}

const ofWord: Bounds = { before: /[\p{L}\p{M}\p{N}]$/u, after: /^[\p{L}\p{M}\p{N}]/u }

/** Of all that the call changes. A git tool works in no folder that is none. */
function repositoriesOf({ resources }: CallInTask): (string | null)[] {
  return resources.flatMap((one) => {
    if (one.type === 'exec') return [one.cwd]
    return one.type === 'file' && !isLook(one.op) ? [one.repository ?? null] : []
  })
}

/** A folder as people and models write it; another pattern means more or less than a place and counts for none. */
function placeOf(target: string): string | undefined {
  const place = target.replace(ending, '')
  return isNobodysOrder(`${place}/_`) ? place : undefined
}

const ending = /\/(\*{1,2})?$/
