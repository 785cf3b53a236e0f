/** Owns which part of the gateway answers where: all routes but those of the server itself. */
import { randomUUIDv7 } from 'node:crypto'
import { join } from 'node:path'
import type { Assistant } from '@countersign/assistant'
import { localSpeechProvider } from '@countersign/contract'
import { speechPartFolder, speechPartProblem } from '@countersign/contract/node'
import {
  createEgress,
  createOAuthServer,
  createServerOAuthFinder,
  defaultEgressLimits,
  type ExecutorClient,
  type Vault,
} from '@countersign/executor'
import type { Kernel } from '@countersign/kernel'
import { installPart, installSpeech } from '@countersign/models'
import type { ToolRegistry } from '@countersign/tools'
import type { LedgerViews, Views } from '@countersign/views'
import { assistantRoutes } from './assistant-routes.ts'
import type { AutonomyAdmin } from './autonomy.ts'
import { createCalendarAccounts } from './calendar/calendar-accounts.ts'
import type { Channels } from './channels/channels.ts'
import type { Config } from './config.ts'
import type { DeviceAccess } from './devices/device-access.ts'
import { createServerSignIns, type ServerSignIns } from './extensions/server-sign-in.ts'
import type { Live } from './live/live.ts'
import { createMailAccounts, type MailAccounts } from './mail/mail-accounts.ts'
import { createMailSignIns } from './mail/mail-sign-in.ts'
import type { ModelSettings } from './model-settings/model-settings.ts'
import { createReconciler } from './model-settings/reconcile.ts'
import type { Nodes } from './nodes/nodes.ts'
import { readGauges } from './observe/gauges.ts'
import type { Observation } from './observe/observation.ts'
import { addOnboardingRoutes, createOnboarding } from './onboarding/index.ts'
import type { PolicyAdmin } from './policy-settings/policy-admin.ts'
import type { Programs } from './programs/programs.ts'
import type { Push } from './push/push.ts'
import { addApprovalRoutes } from './server/approvals.ts'
import { addAskedForRoutes } from './server/asked-for.ts'
import { addCalendarRoutes } from './server/calendar.ts'
import { addCareRoutes } from './server/care.ts'
import { addChannelHookRoutes } from './server/channel-hooks.ts'
import { addChannelRoutes } from './server/channels.ts'
import { addConversationSettingRoutes } from './server/conversation-settings.ts'
import { addCostRoutes } from './server/costs.ts'
import { addExtensionRoutes } from './server/extensions.ts'
import { addFileRoutes } from './server/files.ts'
import { addGrantRoutes } from './server/grants.ts'
import { addLedgerRoutes } from './server/ledger.ts'
import { addLedgerWitnessRoutes } from './server/ledger-witnesses.ts'
import { addLimitRoutes } from './server/limits.ts'
import { addLiveRoutes } from './server/live.ts'
import { addMailRoutes } from './server/mail.ts'
import { addMcpRoutes } from './server/mcp.ts'
import { addMetricsRoute } from './server/metrics.ts'
import { addModelRoutes } from './server/models.ts'
import { addNodeRoutes } from './server/nodes.ts'
import { addOpenAiRoutes } from './server/openai.ts'
import { addPartRoutes } from './server/parts.ts'
import { addPolicyRoutes } from './server/policy.ts'
import { addProgramRoutes } from './server/programs.ts'
import { addProviderRoutes } from './server/providers.ts'
import { addPushRoutes } from './server/push.ts'
import type { App } from './server/route.ts'
import type { SecretAdmin } from './server/secrets.ts'
import { addTimeZoneRoutes, type TimeZoneParts } from './server/time-zone.ts'
import type { ToolAdmin } from './tool-settings/tool-admin.ts'
import type { Witnessing } from './witnesses/witnessing.ts'

export interface RouteParts {
  readonly config: Config
  readonly kernel: Kernel
  readonly views: Views
  readonly ledger: LedgerViews
  readonly assistant: Assistant
  readonly modelSettings: ModelSettings
  readonly executor: ExecutorClient
  readonly vault: Pick<Vault, 'all'>
  readonly secrets: SecretAdmin
  readonly toolAdmin: ToolAdmin
  readonly registry: ToolRegistry
  readonly autonomy: AutonomyAdmin
  readonly policyAdmin: PolicyAdmin
  readonly deviceAccess: DeviceAccess
  readonly nodes: Nodes
  readonly push: Push
  readonly live: Live
  readonly channels: Channels
  readonly programs: Programs
  readonly witnessing: Witnessing
  readonly observation: Observation
  readonly clock: () => Date
  /** What was logged since the start. */
  readonly logged: () => readonly string[]
  readonly onProblem: (problem: unknown) => void
}

function timeZoneParts({ paths, timeZone: zone, timeZoneFixed }: Config, kernel: Kernel): TimeZoneParts {
  return { kernel, file: paths.config, zone, fixed: timeZoneFixed === true }
}

export function gatewayRoutes(parts: RouteParts): ((app: App) => void)[] {
  const { config, kernel, views, assistant, modelSettings, push, deviceAccess, live, observation, clock } =
    parts
  const { operator } = kernel
  const { metrics } = observation
  const { policyAdmin: policy } = parts
  return [
    (app) => addApprovalRoutes(app, { kernel, views, explain: assistant.explain, policy, clock }),
    (app) => addAskedForRoutes(app, kernel),
    (app) => addFileRoutes(app, { kernel, paths: config.paths, clock }),
    (app) =>
      addGrantRoutes(app, {
        kernel,
        views,
        autonomy: () => kernel.policies.current().autonomy,
        passkeyTools: () => policy.document().passkeyTools,
        clock,
      }),
    (app) => addPolicyRoutes(app, { policy, names: () => deviceAccess.names() }),
    // Before the entries, whose numbers stand in the same place.
    (app) => addLedgerWitnessRoutes(app, parts.witnessing),
    (app) =>
      addLedgerRoutes(app, parts.ledger, (speaking, days) =>
        views.oversightDays(speaking, { days, zone: config.timeZone }),
      ),
    (app) => addOnboardingRoutes(app, onboardingOf(parts)),
    (app) => addPushRoutes(app, push),
    (app) => addTimeZoneRoutes(app, timeZoneParts(config, kernel)),
    (app) =>
      addConversationSettingRoutes(app, { kernel, file: config.paths.config, now: config.conversations }),
    (app) => addLimitRoutes(app, config),
    (app) => deviceAccess.addRoutes(app),
    (app) =>
      addExtensionRoutes(app, {
        installed: parts.executor.extensions,
        views,
        signIns: serverSignInsOf(parts),
        kernel,
        floorOf: policy.floorOf,
        clock,
      }),
    (app) => addNodeRoutes(app, { nodes: parts.nodes, pairing: deviceAccess.pairing }),
    (app) => addCare(app, parts),
    (app) => addLiveRoutes(app, { live, views }),
    (app) => addProviderRoutes(app, modelSettings.providers),
    (app) => addModelRoutes(app, modelSettings.models),
    (app) => addMail(app, parts),
    (app) => addCalendar(app, parts),
    (app) => addChannelRoutes(app, parts.channels),
    // Before the routes of automations, whose hooks have any name.
    (app) => addChannelHookRoutes(app, { request: parts.channels.request, clock }),
    (app) => addProgramRoutes(app, parts.programs.admin),
    (app) => addOpenAiRoutes(app, { programs: parts.programs, onProblem: parts.onProblem }),
    (app) =>
      addMcpRoutes(app, {
        programs: parts.programs,
        tools: () => kernel.tools.open(operator),
        uuid: randomUUIDv7,
        onProblem: parts.onProblem,
      }),
    (app) => addCosts(app, parts),
    (app) =>
      addPartRoutes(app, {
        parts: new Map([
          [
            'local-embeddings',
            (onProgress, signal) =>
              installPart({ folder: partFolder(config), environment: config.npm, onProgress, signal }),
          ],
          [
            localSpeechProvider,
            (onProgress, signal) =>
              installSpeech({
                folder: speechPartFolder(config.paths),
                check: speechPartProblem,
                environment: config.npm,
                onProgress,
                signal,
              }),
          ],
        ]),
        act: kernel.act,
      }),
    (app) => {
      if (!metrics) return
      const read = () =>
        readGauges({ operator, views, providers: modelSettings.providers, budgets: kernel.budgets })
      addMetricsRoute(app, { token: metrics.token, text: () => metrics.text(read) })
    },
    ...assistantRoutes({
      assistant,
      kernel,
      secretOf: async (name) => (await parts.vault.all()).findLast((each) => each.name === name)?.value,
      clock,
    }),
  ]
}

/** Where a part that is installed later lies. */
export function partFolder({ paths }: Pick<Config, 'paths'>): string {
  return join(paths.data, 'parts', 'local-embeddings')
}

function onboardingOf(parts: RouteParts) {
  const { deviceAccess, toolAdmin, ...rest } = parts
  return createOnboarding({
    ...rest,
    tools: toolAdmin,
    trust: deviceAccess.trust,
    seals: deviceAccess.seals,
    platform: process.platform,
  })
}

function mailAccountsOf({ kernel, secrets, toolAdmin, assistant }: RouteParts): MailAccounts {
  const enabled = async (operator: Parameters<ToolAdmin['groups']>[0]) =>
    (await toolAdmin.groups(operator)).some((group) => group.name === 'email' && group.enabled)
  const search = assistant.services.mailIndex
  return createMailAccounts({ records: kernel.records, secrets, search, enabled })
}

function addMail(app: App, parts: RouteParts): void {
  const { config, kernel, secrets, vault, clock } = parts
  const allow = { allowPrivate: [...config.localTargets], ports: [] }
  const signIns = createMailSignIns({
    records: kernel.records,
    secrets,
    secretValue: async (name) => (await vault.all()).findLast((each) => each.name === name)?.value,
    server: createOAuthServer(createEgress({ allow, limits: defaultEgressLimits })),
    clock,
  })
  addMailRoutes(app, mailAccountsOf(parts), signIns)
}

function serverSignInsOf({ config, kernel, executor, secrets, vault, clock }: RouteParts): ServerSignIns {
  const allow = { allowPrivate: [...config.localTargets], ports: [] }
  const egress = createEgress({ allow, limits: defaultEgressLimits })
  return createServerSignIns({
    extensions: executor.extensions,
    secrets,
    secretValue: async (name) => (await vault.all()).findLast((each) => each.name === name)?.value,
    server: createOAuthServer(egress),
    finder: createServerOAuthFinder(egress),
    act: kernel.act,
    clock,
  })
}

function addCalendar(app: App, { kernel, secrets, assistant }: RouteParts): void {
  const { calendarSync } = assistant.services
  const accounts = createCalendarAccounts({
    records: kernel.records,
    secrets,
    forget: calendarSync.forget,
  })
  addCalendarRoutes(app, accounts, calendarSync)
}

function addCare(app: App, parts: RouteParts): void {
  const { config, kernel, views, clock, logged } = parts
  const accounts = mailAccountsOf(parts)
  addCareRoutes(app, {
    accounts: (speaking) => accounts.list(speaking),
    routes: parts.modelSettings.models.routes,
    channels: parts.channels.list,
    paths: config.paths,
    platform: process.platform,
    clock,
    act: kernel.act,
    redact: kernel.redactor.text,
    logged,
    days: (speaking, days) => views.healthDays(speaking, { days, zone: config.timeZone }),
  })
}

function addCosts(app: App, { kernel, views, modelSettings, config, clock }: RouteParts): void {
  addCostRoutes(app, {
    views,
    budgets: kernel.budgets,
    reconcile: createReconciler({
      providers: async () =>
        (await modelSettings.providers.list()).map(({ name, kind, url }) => ({ name, kind, baseUrl: url })),
      booked: views.bookedDays,
      adjust: kernel.budgets.adjust,
      fetch: globalThis.fetch,
      clock,
    }),
    clock,
    zone: config.timeZone,
  })
}
