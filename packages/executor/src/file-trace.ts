/**
 * Owns what a call had to do with files beyond those that its permit names: what a program changed, and which folders
 * of strangers were there to be read. The kernel marks files by it. What is not known is left out, which the kernel
 * takes for everything that the call could write.
 */
import { dirname } from 'node:path'
import {
  type ApprovalSubject,
  foreignFolderOf,
  seesFolder,
  type ToolResult,
  viewedProgramOf,
} from '@countersign/contract'
import type { ToolCapabilities } from '@countersign/tools'
import type { OpenCapabilities } from './capabilities/capabilities.ts'
import { programProfile } from './confinement.ts'
import { mostPaths, watchWorkspace } from './workspace-changes.ts'

type TracedCapabilities = ToolCapabilities & Pick<OpenCapabilities, 'hiding'>

export type FileTrace = (
  subject: ApprovalSubject,
  capabilities: TracedCapabilities,
  act: (capabilities: ToolCapabilities) => Promise<ToolResult>,
) => Promise<ToolResult>

/** `act` resolves even on failure. */
export function createFileTrace(root: string): FileTrace {
  return async (subject, capabilities, act) => {
    const found = new Set<string>()
    const seen = (paths: readonly string[]) => {
      for (const path of paths) {
        const folder = foreignFolderOf(dirname(path))
        if (folder) found.add(folder.path)
      }
    }
    let passed: readonly string[] | undefined
    const watched = {
      ...capabilities,
      files: watchedFiles(capabilities.files, seen, (hidden) => {
        passed = passed === undefined ? hidden : passed.filter((path) => hidden.includes(path))
      }),
    }
    const programs = subject.resources.filter(({ type }) => type === 'exec')
    const mayWrite = programProfile(subject.sandbox) !== 'read-only'
    const mayReadAll = programs.some((resource) => resource.type === 'exec' && resource.uninspectable)
    if (programs.length === 0 || !(mayWrite || mayReadAll)) {
      const result = await act(watched)
      if (found.size === 0 && !passed?.length) return result
      return withFiles(result, { found: [...found], changed: [], ...(passed ? { hidden: [...passed] } : {}) })
    }
    const watch = await watchWorkspace(root).catch(() => null)
    const program = viewedProgramOf(subject.resources)
    if (program)
      capabilities.hiding.hide(
        (watch?.foreign ?? []).filter((path) => !seesFolder(path, program, subject.own)),
      )
    const result = await act(watched)
    const hidden = new Set(program ? capabilities.hiding.hidden().map(({ path }) => path) : [])
    const { changed, foreign } = (await watch?.end().catch(() => null)) ?? { changed: null, foreign: null }
    return withFiles(result, {
      found:
        foreign === null
          ? null
          : [...found, ...(mayReadAll ? foreign.filter((path) => !hidden.has(path)) : [])],
      changed: mayWrite ? changed && [...changed] : [],
      ...(program ? { hidden: subject.hidden.filter((path) => hidden.has(path)) } : {}),
    })
  }
}

/** What is listed and what a search finds tells of its place. */
function watchedFiles(
  files: ToolCapabilities['files'],
  seen: (paths: readonly string[]) => void,
  passedOver: (hidden: readonly string[]) => void,
): ToolCapabilities['files'] {
  return {
    ...files,
    async list(location, depth) {
      const outcome = await files.list(location, depth)
      if (outcome.kind === 'listed') seen(outcome.entries.map(({ path }) => path))
      return outcome
    },
    async search(location, search) {
      const outcome = await files.search(location, search)
      if (outcome.kind === 'matches') {
        seen(outcome.matches.map(({ path }) => path))
        passedOver(outcome.hidden.map(({ path }) => path))
      }
      return outcome
    },
  }
}

function withFiles(result: ToolResult, files: NonNullable<ToolResult['files']>): ToolResult {
  const { found, ...rest } = files
  const told = result.files?.found ?? []
  const all = found === null ? null : [...new Set([...told, ...found])]
  return { ...result, files: { found: all && all.length <= mostPaths ? all : null, ...rest } }
}
