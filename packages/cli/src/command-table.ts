/** Owns the list of commands, in the order of the help: every row is declared under `commands/rows`. Everything else reads it. */
import type { CommandRow, OptionRow } from './command-row.ts'
import { agentRows, agentSummary } from './commands/rows/agent.ts'
import { approvalRows, approvalSummary } from './commands/rows/approval.ts'
import { askingProgramRows, askingProgramSummary, mcpSummary } from './commands/rows/asking-program.ts'
import { automationRows, automationSummary } from './commands/rows/automation.ts'
import { calendarAccountRows, calendarAccountSummary } from './commands/rows/calendar-account.ts'
import { channelRows, channelSummary } from './commands/rows/channel.ts'
import { codingAgentRows, codingAgentSummary } from './commands/rows/coding-agent.ts'
import { configRows, configSummary } from './commands/rows/config.ts'
import { controlRows } from './commands/rows/control.ts'
import { costRows, costSummary } from './commands/rows/cost.ts'
import { deviceRows, deviceSummary } from './commands/rows/device.ts'
import { expenseRows, expenseSummary } from './commands/rows/expense.ts'
import { extensionRows, extensionSummary } from './commands/rows/extension.ts'
import { feedRows, feedSummary } from './commands/rows/feed.ts'
import { fileRows, fileSummary } from './commands/rows/file.ts'
import { gatewayRows } from './commands/rows/gateway.ts'
import { goalRows, goalSummary } from './commands/rows/goal.ts'
import { grantRows, grantSummary } from './commands/rows/grant.ts'
import { hostRows } from './commands/rows/host.ts'
import { ledgerRows, ledgerSummary } from './commands/rows/ledger.ts'
import { mailRows, mailSummary } from './commands/rows/mail.ts'
import { memoryRows, memorySummary } from './commands/rows/memory.ts'
import { modelRows, modelSummary } from './commands/rows/model.ts'
import { nodeHereRows } from './commands/rows/node-here.ts'
import { nodeHostRows } from './commands/rows/node-host.ts'
import { onboardRows } from './commands/rows/onboard.ts'
import { peerRows, peerSummary } from './commands/rows/peer.ts'
import { planRows, planSummary } from './commands/rows/plan.ts'
import { pluginRows, pluginSummary } from './commands/rows/plugin.ts'
import { policyRows, policySummary } from './commands/rows/policy.ts'
import { programRows } from './commands/rows/program.ts'
import { providerRows, providerSummary } from './commands/rows/provider.ts'
import { questionRows, questionSummary } from './commands/rows/question.ts'
import { runRows, runSummary } from './commands/rows/run.ts'
import { searchRows } from './commands/rows/search.ts'
import { secretRows, secretSummary } from './commands/rows/secret.ts'
import { serviceRows, serviceSummary } from './commands/rows/service.ts'
import { sessionRows, sessionSummary } from './commands/rows/session.ts'
import { talkRows } from './commands/rows/talk.ts'
import { taskRows, taskSummary } from './commands/rows/task.ts'
import { toolRows, toolSummary } from './commands/rows/tool.ts'
import { whyRows } from './commands/rows/why.ts'
import { witnessRows, witnessSummary } from './commands/rows/witness.ts'

export const globalOptions: readonly OptionRow[] = [
  { flags: '--json', summary: 'print exactly one JSON document on stdout' },
  { flags: '--plain', summary: 'no colour and no redrawing' },
  { flags: '--no-color', summary: 'no colour' },
  { flags: '-q, --quiet', summary: 'print only data and errors' },
  { flags: '-v, --verbose', summary: 'log each request and its duration to stderr' },
  { flags: '--yes', summary: 'answer every confirmation with yes' },
  { flags: '--url <url>', summary: 'address of the gateway (default: the one on this host)' },
  { flags: '--wait <duration>', summary: 'how long to wait, such as 90s or 10m' },
]

export const nounSummaries: Readonly<Record<string, string>> = {
  session: sessionSummary,
  run: runSummary,
  approval: approvalSummary,
  question: questionSummary,
  grant: grantSummary,
  policy: policySummary,
  file: fileSummary,
  tool: toolSummary,
  mail: mailSummary,
  secret: secretSummary,
  provider: providerSummary,
  model: modelSummary,
  cost: costSummary,
  ledger: ledgerSummary,
  witness: witnessSummary,
  service: serviceSummary,
  agent: agentSummary,
  goal: goalSummary,
  task: taskSummary,
  plan: planSummary,
  automation: automationSummary,
  expense: expenseSummary,
  memory: memorySummary,
  feed: feedSummary,
  device: deviceSummary,
  'coding-agent': codingAgentSummary,
  extension: extensionSummary,
  plugin: pluginSummary,
  'calendar-account': calendarAccountSummary,
  channel: channelSummary,
  peer: peerSummary,
  program: askingProgramSummary,
  mcp: mcpSummary,
  node: 'other computers that run calls for you',
  config: configSummary,
}

export const commandTable: readonly CommandRow[] = [
  ...onboardRows,
  ...gatewayRows,
  ...talkRows,
  ...sessionRows,
  ...searchRows,
  ...runRows,
  ...approvalRows,
  ...questionRows,
  ...grantRows,
  ...policyRows,
  ...whyRows,
  ...toolRows,
  ...mailRows,
  ...calendarAccountRows,
  ...channelRows,
  ...peerRows,
  ...askingProgramRows,
  ...nodeHereRows,
  ...secretRows,
  ...providerRows,
  ...modelRows,
  ...costRows,
  ...ledgerRows,
  ...witnessRows,
  ...controlRows,
  ...programRows,
  ...fileRows,
  ...hostRows,
  ...serviceRows,
  ...agentRows,
  ...goalRows,
  ...taskRows,
  ...planRows,
  ...automationRows,
  ...expenseRows,
  ...memoryRows,
  ...feedRows,
  ...deviceRows,
  ...nodeHostRows,
  ...codingAgentRows,
  ...extensionRows,
  ...pluginRows,
  ...configRows,
]
