/**
 * The capabilitiesthat a tool is given for one permit. They reach the files that the permit names, in the state that
 * it names, the places on the network, and the sandbox if the permit runs a program.
 */
import type { ApprovalSubject, WorkOnMedia } from '@countersign/contract'
import type { ToolCapabilities } from '@countersign/tools'
import { createSealedFiles, type SealedFiles, type SealedFilesParts } from '../sealed/sealed-files.ts'
import { type BrowserParts, browserCapabilities } from './browser.ts'
import { type CalendarServerParts, calendarServerCapabilities } from './calendar-server.ts'
import { type CodingAgentParts, codingAgentCapabilities } from './coding-agents.ts'
import { type DocumentParts, documentCapabilities } from './documents.ts'
import { type ExtensionParts, extensionCapabilities } from './extensions.ts'
import { type FileParts, fileCapabilities } from './files.ts'
import { type MailParts, mailCapabilities } from './mail.ts'
import { type ScriptParts, scriptCapabilities } from './script.ts'
import { type ServerCallParts, serverCapabilities } from './servers.ts'
import { type ShellParts, shellCapabilities } from './shell.ts'
import { type WebParts, webCapabilities } from './web.ts'

export interface CapabilityParts
  extends FileParts,
    Omit<ShellParts, 'sealed' | 'skills'>,
    Omit<CodingAgentParts, 'sealed'>,
    WebParts,
    BrowserParts,
    DocumentParts,
    MailParts,
    CalendarServerParts,
    ExtensionParts,
    ServerCallParts,
    ScriptParts {
  readonly sealing: SealedFilesParts
  /** Left out where no model works for tools. */
  readonly work?: WorkOnMedia | undefined
}

/** Closed when the call has ended; what the call kept for itself is gone then. */
export interface OpenCapabilities extends ToolCapabilities {
  /** What is kept from its programs. */
  readonly hiding: Pick<SealedFiles, 'hide' | 'hidden'>
  close(): Promise<void>
}

const noModel: WorkOnMedia = async () => ({ kind: 'failed', reason: 'No model works for tools here.' })

export function capabilitiesFor(subject: ApprovalSubject, parts: CapabilityParts): OpenCapabilities {
  const sealed = createSealedFiles(subject, parts.sealing)
  const files = fileCapabilities(subject, parts)
  return {
    session: subject.session,
    files,
    shell: shellCapabilities(subject, { ...parts, sealed, skills: parts.extensions }),
    web: webCapabilities(subject, parts),
    browser: browserCapabilities(subject, parts),
    script: scriptCapabilities(subject, parts),
    documents: documentCapabilities(subject, files, parts),
    mail: mailCapabilities(subject, parts),
    calendarServer: calendarServerCapabilities(subject, parts),
    models: { work: parts.work ?? noModel },
    codingAgents: codingAgentCapabilities(subject, { ...parts, sealed }),
    extensions: extensionCapabilities(subject, parts),
    servers: serverCapabilities(subject, parts),
    hiding: sealed,
    close: () => sealed.close(),
  }
}
