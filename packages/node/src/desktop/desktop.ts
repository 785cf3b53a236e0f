/** Owns what a call does on the desktop of this computer, by the fixed programs of its system. */
import { mkdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { NodeResource } from '@countersign/contract'
import { sha256Hex } from '@countersign/contract/node'
import type { Failure, NodeCapabilities, NodePicture } from '@countersign/tools'
import { capturesFolder } from '../node-policy.ts'
import { failure, notNamed } from '../shared-folder.ts'
import {
  type DesktopAction,
  type DesktopSession,
  desktopCommands,
  pictureEnding,
  placeIn,
} from './commands.ts'
import type { ProgramAnswer, SystemPrograms } from './system-programs.ts'

type NodeDesktop = NodeCapabilities['desktop']

export interface DesktopParts {
  readonly platform: NodeJS.Platform
  readonly session: DesktopSession
  readonly programs: SystemPrograms
  /** Private; a picture is there only until it is in the shared folder. */
  readonly captures: string
  /** Puts a new file into the shared folder. */
  readonly putPicture: (path: string, bytes: Uint8Array) => Promise<string | null>
  readonly now: () => Date
  readonly id: () => string
}

const largestPicture = 25 * 1024 * 1024

export function desktopOf(resource: NodeResource, parts: DesktopParts): NodeDesktop {
  const { platform, session, programs, now, id } = parts
  const isNamed = (capability: NodeResource['capability'], op: NodeResource['op'], object = '') =>
    resource.capability === capability && resource.op === op && resource.object === object

  async function act(action: DesktopAction, signal: AbortSignal): Promise<ProgramAnswer> {
    for (const command of desktopCommands(action, { platform, session }))
      if ((await programs.find(command.program)) !== undefined) return programs.run(command, signal)
    return failure('No program here can do it.')
  }

  async function done(action: DesktopAction, signal: AbortSignal): Promise<{ kind: 'done' } | Failure> {
    const answer = await act(action, signal)
    return answer.kind === 'failed' ? answer : { kind: 'done' }
  }

  async function picture(
    what: 'capture-screen' | 'take-picture',
    name: string,
    signal: AbortSignal,
  ): Promise<NodePicture | Failure> {
    mkdirSync(parts.captures, { recursive: true, mode: 0o700 })
    const ending = pictureEnding(what)
    const file = join(parts.captures, `${id()}.${ending}`)
    try {
      const answer = await act({ do: what, file }, signal)
      if (answer.kind === 'failed') return answer
      const found = statSync(file, { throwIfNoEntry: false })
      if (!found?.isFile() || found.size === 0)
        return failure('There was no picture. Its system may not allow it.')
      if (found.size > largestPicture) return failure('The picture is too large.')
      const bytes = readFileSync(file)
      const path = `${capturesFolder}/${name} ${stamp(now())} ${id().slice(0, 6)}.${ending}`
      const problem = await parts.putPicture(path, bytes)
      if (problem !== null) return failure(problem)
      return { kind: 'picture', path, size: bytes.length, sha256: sha256Hex(bytes) }
    } finally {
      rmSync(file, { force: true })
    }
  }

  return {
    open: async (url, signal) =>
      isNamed('browser', 'show', url) ? done({ do: 'open', url }, signal) : notNamed(url),
    captureScreen: async (signal) =>
      isNamed('screen', 'read') ? picture('capture-screen', 'screen', signal) : notNamed('the screen'),
    takePicture: async (signal) =>
      isNamed('camera', 'read') ? picture('take-picture', 'camera', signal) : notNamed('the camera'),
    async readClipboard(signal) {
      if (!isNamed('clipboard', 'read')) return notNamed('the clipboard')
      const answer = await act({ do: 'read-clipboard' }, signal)
      if (answer.kind === 'failed') return answer
      return { kind: 'text', text: answer.output, truncated: answer.truncated }
    },
    writeClipboard: async (text, signal) =>
      isNamed('clipboard', 'write')
        ? done({ do: 'write-clipboard', text }, signal)
        : notNamed('the clipboard'),
    notify: async ({ title, text }, signal) =>
      isNamed('notifications', 'show')
        ? done({ do: 'notify', title, text }, signal)
        : notNamed('a notification'),
    async locate(signal) {
      if (!isNamed('location', 'read')) return notNamed('the place')
      const answer = await act({ do: 'locate' }, signal)
      if (answer.kind === 'failed') return answer
      const place = placeIn(answer.output)
      return place ? { kind: 'place', ...place } : failure('The system did not say where it is.')
    },
  }
}

/** In a form that every file system takes. */
function stamp(at: Date): string {
  return at.toISOString().slice(0, 19).replace('T', ' ').replaceAll(':', '.')
}
