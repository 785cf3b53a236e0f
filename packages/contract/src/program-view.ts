/**
 * Owns what a program over a view sees of what strangers wrote: what its own call names, and folders of the kinds that
 * it cannot work without. The rest is hidden from it. Pure: the kernel, the executor and whoever replays calls ask the
 * same functions. A wrong answer costs a failed program or an untrusted label, never a wrong label.
 */
import { z } from 'zod'
import { foreignNeedOf, foreignNeeds } from './foreign-folders.ts'

export const ProgramView = z.strictObject({
  /** Paths of the workspace that stand in the words of the call. */
  named: z.array(z.string()).max(64),
  needs: z.array(z.enum(foreignNeeds)),
  /** It also works in the folders below its own, as a manager of packages does. */
  below: z.boolean(),
})
export type ProgramView = z.infer<typeof ProgramView>

/** More paths than these are not hidden from one program. */
export const mostHidden = 256

export interface ViewedProgram extends ProgramView {
  readonly cwd: string
}

/** The program of a call that runs over a view, if there is one. */
export function viewedProgramOf(
  resources: readonly {
    readonly type: string
    readonly view?: ProgramView | null
    readonly cwd?: string
  }[],
): ViewedProgram | undefined {
  for (const { type, view, cwd } of resources)
    if (type === 'exec' && view && cwd !== undefined) return { ...view, cwd }
  return undefined
}

/** The call says the path, something in it or a folder around it, or works in it. */
export function isNamed(path: string, { named, cwd }: ViewedProgram): boolean {
  return isWithin(cwd, path) || named.some((said) => isWithin(said, path) || isWithin(path, said))
}

/**
 * Whether it sees a folder that strangers fill. What it needs lies around the folder that it works in.
 * What the operator called theirs is not hidden; whether that makes it trusted is not decided here.
 */
export function seesFolder(folder: string, program: ViewedProgram, own: readonly string[]): boolean {
  // Git would take what is hidden for deleted, and commit that.
  if (isNamed(folder, program) || program.needs.includes('history')) return true
  if (own.some((path) => isWithin(folder, path) || isWithin(path, folder))) return true
  const cut = folder.lastIndexOf('/')
  const need = foreignNeedOf(folder.slice(cut + 1))
  if (need === null || !program.needs.includes(need)) return false
  const around = cut === -1 ? '.' : folder.slice(0, cut)
  return isWithin(program.cwd, around) || (program.below && isWithin(around, program.cwd))
}

/** The path itself or below it, both relative to the workspace. */
export function isWithin(path: string, folder: string): boolean {
  return folder === '.' || path === folder || path.startsWith(`${folder}/`)
}
