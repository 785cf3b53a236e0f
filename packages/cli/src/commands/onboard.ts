/** `countersign onboard`: eight steps to a first approved action. Starts the gateway where none runs; can be left at any time. */
import { CountersignError, errorCatalogue, type Onboarding } from '@countersign/contract'
import { commandTable } from '../command-table.ts'
import type { Gateway } from '../connection.ts'
import type { Context, Handler, OptionValues } from '../context.ts'
import { type CommandAnswer, done, ended, failed, written } from '../output/answer.ts'
import { usage } from '../output/failure.ts'
import { line } from '../output/safe-text.ts'
import { answerFrom, readAnswers } from './onboard-file.ts'
import { runOnboarding } from './onboard-steps.ts'
import { stepIn, summaryText } from './onboard-words.ts'
import { up } from './up.ts'

/** The first start makes the database, which takes long on a slow disk. */
const firstStartMs = 120_000

export const onboard: Handler = async (context, _args, options) => {
  const { config } = options
  if (options.nonInteractive === true && typeof config !== 'string')
    return usage('Without a terminal, give the answers in a file: --config onboard.yaml.', 'onboard')
  if (options.nonInteractive !== true && typeof config === 'string')
    return usage('--config goes with --non-interactive.', 'onboard')
  // Before anything is started: a file that is wrong should cost nothing.
  const given = typeof config === 'string' ? readAnswers(config) : undefined
  const gateway = await started(context, options)
  if ('answer' in gateway) return gateway.answer
  if (given) return fromFile(context, gateway, given)
  if (!context.interactive) return told(await gateway.client.onboarding(), context)
  return inTerminal(context, gateway, options.resume === true)
}

async function inTerminal(context: Context, gateway: Gateway, resumes: boolean): Promise<CommandAnswer> {
  const view = await gateway.client.onboarding()
  if (view.next === null) return told(view, context)
  const begins =
    resumes || view.settled > 0 ? 'Continuing where you stopped.' : 'Eight steps, about five minutes.'
  context.say(
    `${begins} ${context.redraws ? 'Esc' : 'q'} leaves at any question; nothing you answered is lost.`,
  )
  const walked = await runOnboarding({
    context,
    gateway,
    run: async (name, args, given) => {
      const answer = await runCommand(context, name, args, given)
      const { output, errors, exit } = written(answer, false)
      context.say(`${output}${errors}`.trimEnd())
      return exit === 0
    },
  })
  if (walked === 'browser') return inBrowser(context, gateway)
  const now = await gateway.client.onboarding()
  context.say(`\n${summaryText(now, context)}`)
  return ended(0)
}

async function inBrowser(context: Context, gateway: Gateway): Promise<CommandAnswer> {
  context.say('Come back here at any time with `countersign onboard --resume`.')
  if (commandTable.some((row) => row.name === 'open')) return runCommand(context, 'open', ['setup'])
  const address = gateway.url.replace('127.0.0.1', 'localhost')
  return done({ url: `${address}/setup` }, `Open ${line(`${address}/setup`)}`)
}

async function fromFile(
  context: Context,
  gateway: Gateway,
  given: ReturnType<typeof readAnswers>,
): Promise<CommandAnswer> {
  const view = await answerFrom(context, gateway.client, given)
  const { progress } = stepIn(view, 'action').data
  const answered = given.answers.action !== undefined
  if (answered && progress?.state === 'waiting' && progress.approval) {
    const { code, headline, tier } = progress.approval
    return failed({
      type: 'approval_required',
      message: `${line(code)} waits for you: ${line(headline)}`,
      next: `Look at it with \`countersign approval show ${line(code)}\`, then decide.`,
      exit: errorCatalogue.approval_required.exit,
      details: { ...plain(view), code, tier },
    })
  }
  if (answered && progress?.state === 'ended')
    return failed({
      type: 'tool_failed',
      message: line(progress.problem ?? 'The first action ended without a call that was approved.'),
      next: 'Choose another action in the file, or run `countersign onboard --resume`.',
      exit: errorCatalogue.tool_failed.exit,
      details: plain(view),
    })
  return told(view, context)
}

function told(view: Onboarding, context: Context): CommandAnswer {
  return done(plain(view), () => summaryText(view, context))
}

function plain(view: Onboarding): Readonly<Record<string, unknown>> {
  const { settled, total, next } = view
  return { settled, total, next, steps: view.steps.map(({ id, state, data }) => ({ id, state, data })) }
}

/** The gateway that runs, else one that is started now. */
async function started(
  context: Context,
  options: OptionValues,
): Promise<Gateway | { readonly answer: CommandAnswer }> {
  try {
    return await context.gateway()
  } catch (error) {
    const here = context.flags.url === undefined && context.host.environment.url === undefined
    if (!(error instanceof CountersignError) || error.code !== 'gateway_unreachable' || !here) throw error
    const waitMs = context.flags.waitMs ?? firstStartMs
    const answer = await up({ ...context, flags: { ...context.flags, waitMs } }, [], portIn(options))
    context.rest()
    if (answer.kind !== 'done') return { answer }
    context.note('Started the gateway.')
    return context.gateway()
  }
}

/** The port is the one thing of the start that the first run lets one choose. */
function portIn({ port }: OptionValues): OptionValues {
  return port === undefined ? {} : { port }
}

async function runCommand(
  context: Context,
  name: string,
  args: readonly string[],
  given: OptionValues = {},
): Promise<CommandAnswer> {
  const row = commandTable.find((each) => each.name === name)
  if (!row) return usage(`There is no command ${name} here.`)
  return (await row.load())(context, args, given)
}
