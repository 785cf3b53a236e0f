/** Puts the first run together from the rooms that exist. */
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import type { Assistant } from '@countersign/assistant'
import { CountersignError } from '@countersign/contract'
import type { ExecutorClient, TrustSource } from '@countersign/executor'
import type { Kernel, SealChecks } from '@countersign/kernel'
import type { ToolRegistry } from '@countersign/tools'
import type { Views } from '@countersign/views'
import type { AutonomyAdmin } from '../autonomy.ts'
import type { Channels } from '../channels/channels.ts'
import type { Config } from '../config.ts'
import type { ModelSettings } from '../model-settings/model-settings.ts'
import type { PolicyAdmin } from '../policy-settings/policy-admin.ts'
import type { ToolAdmin } from '../tool-settings/tool-admin.ts'
import { actionStep, isDrafting } from './action-step.ts'
import { checkStep } from './check-step.ts'
import { draftReply, draftReplyName } from './draft-reply.ts'
import { createFlow, type OnboardingFlow } from './flow.ts'
import { keepStep } from './keep-step.ts'
import { modelStep } from './model-step.ts'
import { reachStep } from './reach-step.ts'
import { recipesStep } from './recipes-step.ts'
import { safetyStep } from './safety-step.ts'
import { openStepRecords } from './step-records.ts'
import { youStep } from './you-step.ts'

export { addOnboardingRoutes } from './routes.ts'

export interface OnboardingParts {
  readonly config: Pick<Config, 'paths' | 'bus'>
  readonly kernel: Pick<Kernel, 'act' | 'admit' | 'budgets' | 'gateway' | 'policies'>
  readonly views: Pick<Views, 'run' | 'session'>
  readonly assistant: Pick<Assistant, 'services' | 'address'>
  readonly modelSettings: Pick<ModelSettings, 'providers' | 'models' | 'next'>
  readonly executor: Pick<ExecutorClient, 'ready'>
  readonly tools: Pick<ToolAdmin, 'turn' | 'groups'>
  readonly registry: ToolRegistry
  readonly autonomy: AutonomyAdmin
  readonly policyAdmin: Pick<PolicyAdmin, 'setLevel'>
  readonly trust: TrustSource
  readonly seals: Pick<SealChecks, 'proves'>
  readonly push: { count(): Promise<number> }
  readonly channels: Pick<Channels, 'deliveries'>
  readonly platform: NodeJS.Platform
  readonly clock: () => Date
  readonly onProblem: (problem: unknown) => void
}

/** A draft that waits for its decision needs its tool again, after a restart too. */
export function equipOnboarding(
  registry: ToolRegistry,
  { paths }: Pick<Config, 'paths'>,
  onProblem: (problem: unknown) => void,
): void {
  if (isDrafting(openStepRecords(fileIn(paths), onProblem).read().action)) addDraft(registry)
}

export function createOnboarding(parts: OnboardingParts): OnboardingFlow {
  const { config, kernel, views, assistant, modelSettings, autonomy, clock, platform } = parts
  const { paths } = config
  const runtimeFolder = config.bus['XDG_RUNTIME_DIR']
  const { profiles, schedules } = assistant.services
  return createFlow({
    records: openStepRecords(fileIn(paths), parts.onProblem),
    act: kernel.act,
    clock,
    handlers: {
      check: checkStep({
        paths,
        platform,
        runtimeFolder,
        clock,
        sandbox: () => parts.executor.ready().sandbox,
      }),
      you: youStep({ profiles, hasPasskey: () => hasPasskey(parts.trust) }),
      model: modelStep({
        providers: modelSettings.providers,
        models: modelSettings.models,
        next: modelSettings.next,
        clock,
      }),
      safety: safetyStep({
        autonomy,
        loadLevel: parts.policyAdmin.setLevel,
        budgets: kernel.budgets,
        act: kernel.act,
        gateway: kernel.gateway,
        hasPasskey: () => mustHavePasskey(parts.trust),
        proves: (proof, text) => parts.seals.proves(proof, text),
        clock,
      }),
      action: actionStep({
        workspace: paths.workspace,
        autonomy: autonomy.current,
        async send({ operator, actor }, text) {
          const message = { session: null, text }
          const { session, run } = await kernel.admit(operator, {
            key: randomUUID(),
            ...message,
            mode: 'auto',
            ...(await assistant.address(message)),
            requester: { kind: 'operator', id: actor.id },
          })
          return { session, run }
        },
        runsOf: async (operator, session) => (await views.session(operator, session)).runs,
        run: views.run,
        async enable(operator, name, actor) {
          if (name === draftReplyName) addDraft(parts.registry)
          else if ((await parts.tools.groups(operator)).some((group) => group.name === name && group.enabled))
            return
          await parts.tools.turn(operator, name, true, actor)
        },
      }),
      reach: reachStep({
        hasPush: async () => (await parts.push.count()) > 0,
        deliveries: parts.channels.deliveries,
      }),
      keep: keepStep({ platform, runtimeFolder, paths }),
      recipes: recipesStep({ schedules, budgets: kernel.budgets }),
    },
  })
}

/** Without a readable trust file it is unknown whether a passkey is needed, and doubt refuses. */
async function mustHavePasskey(trust: TrustSource): Promise<boolean> {
  const believed = await trust.current()
  if ('problem' in believed)
    throw new CountersignError('config_invalid', `The trust file could not be loaded: ${believed.problem}.`)
  return believed.passkeys.size > 0
}

async function hasPasskey(trust: TrustSource): Promise<boolean> {
  const believed = await trust.current()
  return !('problem' in believed) && believed.passkeys.size > 0
}

function fileIn({ data }: Config['paths']): string {
  return join(data, 'onboarding.json')
}

function addDraft(registry: ToolRegistry): void {
  if (!registry.find(draftReplyName)) registry.add({ source: 'first run', tools: () => [draftReply] })
}
