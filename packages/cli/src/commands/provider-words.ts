/** Says what is known of a provider: where it was found, where its key is, how it does, and what a test showed. */
import type { DetectedProvider, ModelView, ProviderTested, ProviderView } from '@countersign/contract'
import type { Context } from '../context.ts'
import { columns } from '../output/columns.ts'
import { money, unitPrice } from '../output/money.ts'
import { line, lines } from '../output/safe-text.ts'
import { clockTime } from '../output/time.ts'

export const keyWords = {
  vault: 'in the vault',
  environment: 'from the environment',
  none: 'none needed',
  missing: 'missing',
} as const

export function healthWords({ enabled, health, source }: ProviderView, context: Context): string {
  const { calls, failures, medianMs, breaker, opensAgainAt } = health
  const moment = context.moment()
  const state = !enabled
    ? 'off'
    : breaker === 'open'
      ? context.paint(
          'bad',
          `paused after failures${opensAgainAt === null ? '' : ` until ${clockTime(opensAgainAt, moment)}`}`,
        )
      : breaker === 'half-open'
        ? 'being tried again'
        : calls === 0
          ? 'no call lately'
          : failures === 0
            ? context.paint('good', 'ok')
            : context.paint('bad', `${failures} of ${calls} calls failed`)
  const speed = medianMs === null ? [] : [`first word after ${seconds(medianMs)}`]
  return [state, ...speed, ...(source === 'configuration' ? ['set in the configuration'] : [])].join(', ')
}

export function titleOf(provider: ProviderView): string {
  return `${line(provider.name)} (${line(provider.title)}, ${line(provider.url)})`
}

export function foundWords({ url, variable, models }: DetectedProvider): string {
  // A key says nothing of whether its provider answers; nobody asked it yet.
  const place = variable === null ? `answers at ${line(url ?? 'this machine')}` : `a key in ${line(variable)}`
  return models.length === 0
    ? place
    : `${place} with ${models.length} ${models.length === 1 ? 'model' : 'models'}`
}

export const refOf = (name: string, model: string): string =>
  model.startsWith(`${name}/`) ? model : `${name}/${model}`

export function testText(tested: ProviderTested, model: ModelView | null): string {
  const { firstTokenMs, totalMs, tools, usd } = tested
  const first = firstTokenMs === null ? '' : `first word after ${seconds(firstTokenMs)}, `
  const price = model?.price ?? null
  return columns([
    ['Model', line(tested.model)],
    ['Speed', `${first}all after ${seconds(totalMs)}`],
    [
      'Price',
      price === null
        ? 'not known; set it with `countersign model price`'
        : price.input === 0 && price.output === 0
          ? 'free'
          : `${unitPrice(price.input)} in and ${unitPrice(price.output)} out per million tokens; this test cost ${money(usd)}`,
    ],
    ...(tools === null ? [] : [['Tools', tools ? 'it called one' : 'it did not call the tool']]),
  ])
}

export function promptText(tested: ProviderTested, { paint }: Pick<Context, 'paint'>): string {
  const { firstTokenMs, totalMs, tokens, usd } = tested
  return [
    lines(tested.text),
    '',
    columns(
      [
        ['Model', line(tested.model)],
        ['First word', firstTokenMs === null ? 'not known' : `after ${seconds(firstTokenMs)}`],
        ['Whole reply', `after ${seconds(totalMs)}`],
        ['Tokens', `${tokens.input} in, ${tokens.output} out`],
        ['Cost', money(usd)],
      ].map(([name = '', value = '']) => [paint('quiet', name), value]),
    ),
  ].join('\n')
}

export function eachText({
  tested,
  model,
}: {
  readonly tested: ProviderTested
  readonly model: ModelView | null
}): string {
  return tested.ok ? testText(tested, model) : `failed: ${line(tested.problem ?? 'no reason was given')}`
}

const seconds = (ms: number): string => (ms < 1_000 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(1)} s`)
