import { agentsTools } from './agents/index.ts'
import { audioTools } from './audio/index.ts'
import { bookmarksTools } from './bookmarks/index.ts'
import { browserTools } from './browser/index.ts'
import { calendarTools } from './calendar/index.ts'
import { chatTools } from './chats/index.ts'
import { cliTools } from './cli/index.ts'
import { codeTools } from './code/index.ts'
import { codingAgentTools } from './coding/index.ts'
import { contactsTools } from './contacts/index.ts'
import { customTools } from './custom/index.ts'
import { dataTools } from './data/index.ts'
import type { ToolDefinition } from './definition.ts'
import { deviceTools } from './devices/index.ts'
import { filesTools } from './files/index.ts'
import { financeTools } from './finance/index.ts'
import { gitTools } from './git/index.ts'
import { goalsTools } from './goals/index.ts'
import { historyTools } from './history/index.ts'
import { imageTools } from './image/index.ts'
import { languageTools } from './language/index.ts'
import { emailTools } from './mail/index.ts'
import { memoryTools } from './memory/index.ts'
import { metaTools } from './meta/index.ts'
import { notesTools } from './notes/index.ts'
import { allowSpending } from './operator/allow-spending.ts'
import { askOperator } from './operator/ask-operator.ts'
import { pdfTools } from './pdf/index.ts'
import { plansTools } from './plans/index.ts'
import { recordsTools } from './records/index.ts'
import { schedulerTools } from './scheduler/index.ts'
import { serverTools } from './servers/index.ts'
import { skillTools } from './skills/index.ts'
import { calendarSyncTools } from './sync/index.ts'
import { tasksTools } from './tasks/index.ts'
import { utilityTools } from './utilities/index.ts'
import { vectorTools } from './vectors/index.ts'
import { weatherTools } from './weather/index.ts'
import { webTools } from './web/index.ts'

export type * from './capabilities.ts'
export * from './catalogue.ts'
export { programOfSwitch, withPrograms } from './cli/switched-programs.ts'
export { CodingTaskResult } from './coding/task-result.ts'
export { customToolFacts } from './custom/facts.ts'
export * from './definition.ts'
export { forLook } from './devices/for-look.ts'
export { deviceTools } from './devices/index.ts'
export type * from './devices/node-capabilities.ts'
export type * from './devices/node-inspector.ts'
export { type OfferedNode, withNodes } from './devices/offered.ts'
export { largestDocument } from './documents/document-file.ts'
export * from './extensions/entry.ts'
export { credentialAt } from './files/credentials.ts'
export { heldEffects, opens } from './files/held-files.ts'
export type { HeldFile, HeldSet } from './files/held-set.ts'
export { type HostRun, hostRun } from './files/host-run.ts'
export { hostRunOf } from './files/host-run-match.ts'
export * from './groups.ts'
export type * from './inspector.ts'
export { piecesOf } from './language/pieces.ts'
export { withMailAccounts } from './mail/account-argument.ts'
export {
  type ArrivedMail,
  arrivalLimits,
  isAsked,
  MailArrivals,
  mailboxName,
  type SeenUpTo,
  type WantedMail,
} from './mail/arrivals.ts'
export { accountIn, type EmailPlace, emailId, placeIn } from './mail/email-id.ts'
export { MailAttachment, MailContent, type MailHead, MailHeads, mailLimits } from './mail/mail-content.ts'
export { labelOfSenders, mailLabel, oauthMethod } from './mail/mail-effects.ts'
export { peopleText, personText } from './mail/mail-lines.ts'
export { searchedMailLabel } from './mail/searched-label.ts'
export {
  isInUidSet,
  type KnownFolder,
  type KnownMailbox,
  type LookedFolder,
  type SearchedFolder,
  type SearchedMail,
  SearchedMailbox,
  searchedLimits,
  uidSet,
} from './mail/searched-mail.ts'
export {
  type DnsAnswer,
  type DnsQuestion,
  forThoseShown,
  type SenderCheck,
  SenderFindings,
  senderCheck,
  unchecked,
} from './mail/sender-check.ts'
export { findTools } from './meta/search.ts'
export type * from './record-tool-context.ts'
export * from './records/resources.ts'
export { recordUndo } from './records/undo.ts'
export { failed, succeeded } from './result.ts'
export * from './servers/index.ts'
export * from './skills/index.ts'
export * from './sync/index.ts'
export { commandText, nameText, pathText } from './text.ts'

export const builtinTools: readonly ToolDefinition[] = [
  ...metaTools,
  allowSpending,
  askOperator,
  ...filesTools,
  ...utilityTools,
  ...languageTools,
  ...pdfTools,
  ...imageTools,
  ...audioTools,
  ...gitTools,
  ...codeTools,
  ...cliTools,
  ...codingAgentTools,
  ...webTools,
  ...weatherTools,
  ...emailTools,
  ...calendarSyncTools,
  ...browserTools,
  ...tasksTools,
  ...bookmarksTools,
  ...notesTools,
  ...chatTools,
  ...calendarTools,
  ...contactsTools,
  ...financeTools,
  ...dataTools,
  ...vectorTools,
  ...recordsTools,
  ...customTools,
  ...memoryTools,
  ...goalsTools,
  ...agentsTools,
  ...plansTools,
  ...schedulerTools,
  ...historyTools,
  ...deviceTools,
  ...serverTools,
  ...skillTools,
]
