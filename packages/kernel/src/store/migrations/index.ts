/** Every migration of the kernel, in order. Those of whoever keeps tables of their own come after them. */
import type { Migration } from '@countersign/database'
import { runsCallsLedger } from './0001-runs-calls-ledger.ts'
import { records } from './0002-records.ts'
import { childCallsAndFileLabels } from './0003-child-calls-and-file-labels.ts'
import { modelCostsAndBudgets } from './0004-model-costs-and-budgets.ts'
import { sessionWorkAndHolds } from './0005-session-work-and-holds.ts'
import { deviceReachAndRules } from './0006-device-reach-and-rules.ts'
import { retention } from './0007-retention.ts'
import { policyVersions } from './0008-policy-versions.ts'
import { sessionMarks } from './0009-session-marks.ts'
import { runModel } from './0010-run-model.ts'
import { sessionWindow } from './0011-session-window.ts'
import { readers } from './0012-readers.ts'
import { askedFor } from './0013-asked-for.ts'
import { grantsThatAnswer } from './0014-grants-that-answer.ts'
import { unasked } from './0015-unasked.ts'
import { listedQuestions } from './0016-listed-questions.ts'
import { attachments } from './0017-attachments.ts'
import { privateConversations } from './0022-private-conversations.ts'
import { teamsToolsMetadata } from './0027-teams-tools-metadata.ts'
import { turnsOfAMessage } from './0030-turns-of-a-message.ts'
import { ledgerWitnesses } from './0031-ledger-witnesses.ts'
import { serverQuestions } from './0032-server-questions.ts'

export const migrations: readonly Migration[] = [
  runsCallsLedger,
  records,
  childCallsAndFileLabels,
  modelCostsAndBudgets,
  sessionWorkAndHolds,
  deviceReachAndRules,
  retention,
  policyVersions,
  sessionMarks,
  runModel,
  sessionWindow,
  readers,
  askedFor,
  grantsThatAnswer,
  unasked,
  listedQuestions,
  attachments,
  privateConversations,
  teamsToolsMetadata,
  turnsOfAMessage,
  ledgerWitnesses,
  serverQuestions,
]
