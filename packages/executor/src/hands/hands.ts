/**
 * Owns the hands that a tool is given for one permit. They reach the files that the permit names, in the state that
 * it names, the places on the network, and the sandbox if the permit runs a program.
 */
import type { ApprovalSubject } from '@countersign/contract'
import type { Hands } from '@countersign/tools'
import { createSealedRoom, type SealedRoomParts } from '../sealed/room.ts'
import { type BrowserParts, browserHands } from './browser.ts'
import { type FileParts, fileHands } from './files.ts'
import { type ScriptParts, scriptHands } from './script.ts'
import { type ShellParts, shellHands } from './shell.ts'
import { type WebParts, webHands } from './web.ts'

export interface HandParts
  extends FileParts,
    Omit<ShellParts, 'sealed'>,
    WebParts,
    BrowserParts,
    ScriptParts {
  readonly sealing: SealedRoomParts
}

/** Closed when the call has ended; what the call kept for itself is gone then. */
export interface OpenHands extends Hands {
  close(): Promise<void>
}

export function handsFor(subject: ApprovalSubject, parts: HandParts): OpenHands {
  const sealed = createSealedRoom(subject, parts.sealing)
  return {
    session: subject.session,
    files: fileHands(subject, parts),
    shell: shellHands(subject, { ...parts, sealed }),
    web: webHands(subject, parts),
    browser: browserHands(subject, parts),
    script: scriptHands(subject, parts),
    close: () => sealed.close(),
  }
}
