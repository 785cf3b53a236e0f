/** `countersign model`: what there is to choose from, what it costs, and which one is taken for what. */
import {
  Capability,
  type CatalogueView,
  ModelRef,
  type ModelView,
  type OverrideModel,
  Purpose,
  type RouteView,
  type SetRoute,
  Strategy,
} from '@countersign/contract'
import type { Context, Handler, OptionValues } from '../context.ts'
import { done } from '../output/answer.ts'
import { columns } from '../output/columns.ts'
import { usage } from '../output/failure.ts'
import { grouped, priceWords, tokens, unitPrice } from '../output/money.ts'
import { ledgerMark } from '../output/receipt.ts'
import { line } from '../output/safe-text.ts'
import { table } from '../output/table.ts'

export { trace } from './model-trace.ts'

export const list: Handler = async (context, [words], options) => {
  const needs = listOf(options['needs'])
  const unknown = needs.find((need) => !Capability.safeParse(need).success)
  if (unknown !== undefined)
    return usage(
      `${line(unknown)} is not a capability of models. Choose from: ${Capability.options.join(', ')}.`,
      'model list',
    )
  const { client } = await context.gateway()
  const [models, catalogue] = await Promise.all([
    client.models({
      ...(words === undefined ? {} : { words }),
      ...(typeof options['provider'] === 'string' ? { provider: options['provider'] } : {}),
      ...(needs.length === 0 ? {} : { needs: needs.join(',') }),
      ...(options['all'] === true ? { all: 'true' } : {}),
    }),
    client.catalogue(),
  ])
  return done({ models, catalogue }, () => {
    if (models.length === 0) return nothingFits(words, options)
    const rows = models.map((model) => [
      line(model.ref),
      model.context === null ? '?' : tokens(model.context),
      model.output === null ? '?' : tokens(model.output),
      `${priceWords(model.price)}${model.overridden ? ' *' : ''}`,
      model.capabilities.join(', '),
      model.usedFor.join(', '),
    ])
    const changed = models.some((model) => model.overridden) ? ['* as you set it'] : []
    return [
      table(
        ['Model', 'Context', 'Output', '$ in / out', 'Can', 'Used for'],
        rows,
        context.host.output.columns,
      ),
      '',
      ...changed,
      sourceWords(catalogue),
    ].join('\n')
  })
}

export const show: Handler = async (context, [ref = '']) => {
  const model = await (await context.gateway()).client.model(ref)
  return done({ model }, () => modelText(model, context))
}

export const estimate: Handler = async (context, [ref = ''], options) => {
  const count = (name: string, usual: number) => {
    const value = options[name]
    return value === undefined ? usual : /^\d{1,9}$/.test(String(value)) ? Number(value) : undefined
  }
  const [input, output, cached] = [count('input', 10_000), count('output', 1_000), count('cached', 0)]
  if (input === undefined || output === undefined || cached === undefined)
    return usage('Tokens are whole numbers, such as 50000.', 'model estimate')
  const told = await (await context.gateway()).client.estimateModel(ref, { input, output, cached })
  return done({ ...told }, () => {
    const what = `${tokens(input)} tokens in, ${tokens(cached)} of them from the cache, and ${tokens(output)} out`
    if (told.usd === null)
      return `The price of ${line(ref)} is not known. Set it with \`countersign model price ${line(ref)} --input 1 --output 4\`.`
    return `${line(ref)}: ${exactDollars(told.usd)} for ${what}.`
  })
}

/** Small amounts are what one wants to know here. */
function exactDollars(usd: number): string {
  return `$${usd.toFixed(usd > 0 && usd < 0.01 ? 6 : 4)}`
}

export const use: Handler = async (context, [choice = ''], options) => {
  const purpose = Purpose.safeParse(options['for'] ?? 'chat')
  if (!purpose.success) return usage(`--for is one of ${Purpose.options.join(', ')}.`, 'model use')
  const others = listOf(options['then'])
  const strategy = Strategy.safeParse(choice)
  const models = strategy.success ? others : [choice, ...others]
  const wrong = models.find((model) => !ModelRef.safeParse(model).success)
  if (wrong !== undefined)
    return usage(
      `${line(wrong)} is neither a model such as anthropic/claude-sonnet-4-5 nor one of ${Strategy.options.join(', ')}.`,
      'model use',
    )
  // A model that is named comes first whatever it costs; the others stand in for it in their order.
  const asked: SetRoute = { strategy: strategy.success ? strategy.data : 'fallback', models }
  const { route, ledger } = await (await context.gateway()).client.setRoute(purpose.data, asked)
  return done({ route, ledger }, () =>
    [
      `For ${route.purpose}: ${choiceWords(route)}.${ledgerMark(ledger)}`,
      ...(route.problem === null
        ? [`The next call uses ${line(route.next ?? 'none')}.`]
        : [context.paint('bad', `It cannot be used yet: ${line(route.problem)}`)]),
    ].join('\n'),
  )
}

export const routes: Handler = async (context) => {
  const found = await (await context.gateway()).client.routes()
  return done({ routes: found }, () => {
    if (found.length === 0)
      return 'No route is set. Choose a model with `countersign model use anthropic/claude-sonnet-4-5`.'
    const rows = found.map((route) => [
      route.purpose,
      route.own ? choiceWords(route) : 'as for chat',
      route.problem === null ? line(route.next ?? 'none') : context.paint('bad', line(route.problem)),
    ])
    return table(['For', 'Takes', 'Next call'], rows, context.host.output.columns)
  })
}

export const price: Handler = async (context, [ref = ''], options) => {
  const change = overrideOf(options)
  if (typeof change === 'string') return usage(change, 'model price')
  const { client } = await context.gateway()
  if (options['restore'] === true) {
    const { model, ledger } = await client.restoreModel(ref)
    return done(
      { model, ledger },
      () =>
        `${line(model.ref)} has the price of the catalogue again: ${priceText(model)}.${ledgerMark(ledger)}`,
    )
  }
  const { model, ledger } = await client.overrideModel(ref, change)
  return done({ model, ledger }, () =>
    [
      `${line(model.ref)} now costs ${priceText(model)}.${ledgerMark(ledger)}`,
      'Past costs do not change.',
    ].join('\n'),
  )
}

export const refresh: Handler = async (context) => {
  const refreshed = await (await context.gateway()).client.refreshCatalogue()
  const { catalogue, added, changed, removed, ledger } = refreshed
  const total = added + changed + removed
  const news =
    total === 0
      ? 'Nothing has changed.'
      : `${grouped(String(added))} added, ${grouped(String(changed))} changed, ${grouped(String(removed))} removed.`
  return done({ ...refreshed }, () =>
    [
      `${news} ${grouped(String(catalogue.models))} models.${ledgerMark(ledger)}`,
      sourceWords(catalogue),
    ].join('\n'),
  )
}

function nothingFits(words: string | undefined, options: OptionValues): string {
  const narrowed = words !== undefined || options['provider'] !== undefined || options['needs'] !== undefined
  if (narrowed && options['all'] === true)
    return `No model fits${words === undefined ? '' : ` “${line(words)}”`}. Fetch what is new with \`countersign model refresh\`.`
  if (narrowed)
    return `No model of your providers matches${words === undefined ? '' : ` “${line(words)}”`}. See those of every provider with --all.`
  return 'No model yet. Add a provider with `countersign provider add`; see all models with `countersign model list --all`.'
}

function modelText(model: ModelView, context: Context): string {
  const { price: cost } = model
  return [
    `${context.paint('strong', line(model.ref))}  ${line(model.title)}`,
    columns([
      ['Can', [...model.capabilities, ...(model.streaming ? ['streaming'] : [])].join(', ') || 'text only'],
      ['Context', model.context === null ? 'not known' : `${grouped(String(model.context))} tokens`],
      ['Output', model.output === null ? 'not known' : `${grouped(String(model.output))} tokens at most`],
      ['Price', priceText(model)],
      ...(cost === null || (cost.cacheRead === null && cost.cacheWrite === null)
        ? []
        : [
            ['Cache', `${optionalMoney(cost.cacheRead)} to read, ${optionalMoney(cost.cacheWrite)} to write`],
          ]),
      ['From', cost === null ? 'unknown' : `${line(cost.source)}, ${line(cost.date)}`],
      ['Quality', `${model.quality} of 100`],
      ['Used for', model.usedFor.join(', ') || `nothing; \`countersign model use ${line(model.ref)}\``],
    ]),
    ...(cost === null
      ? [`Set its price with \`countersign model price ${line(model.ref)} --input 3 --output 15\`.`]
      : []),
  ].join('\n')
}

function priceText({ price: cost, overridden }: ModelView): string {
  if (cost === null) return 'not known'
  if (cost.input === 0 && cost.output === 0) return `free${overridden ? ', as you set it' : ''}`
  return `${unitPrice(cost.input)} in and ${unitPrice(cost.output)} out per million tokens${overridden ? ', as you set it' : ''}`
}

const optionalMoney = (usd: number | null): string => (usd === null ? 'not known' : unitPrice(usd))

function choiceWords({ strategy, models }: RouteView): string {
  const names = models.map(line)
  if (strategy === 'fallback')
    return names.length === 0 ? 'every model in the order of priority' : names.join(', then ')
  return names.length === 0 ? `the ${word(strategy)} model` : `the ${word(strategy)} of ${names.join(', ')}`
}

const word = (strategy: Strategy): string => (strategy === 'balanced' ? 'best balanced' : strategy)

function sourceWords({ source, date, refreshed }: CatalogueView): string {
  const old = refreshed ? '' : ', as shipped'
  return `Prices per million tokens, from ${line(source)}, ${line(date)}${old}. Newer: \`countersign model refresh\`.`
}

/** A sentence when the options are no price. */
function overrideOf(options: OptionValues): OverrideModel | string {
  const change: Record<string, number> = {}
  for (const name of ['input', 'output', 'cacheRead', 'cacheWrite'] as const) {
    const given = options[name]
    if (typeof given !== 'string') continue
    const dollars = Number(given.replace(/^\$/, ''))
    if (given.trim() === '' || !Number.isFinite(dollars) || dollars < 0)
      return `${line(given)} is not a price in dollars per million tokens.`
    change[name] = dollars
  }
  const given = Object.keys(change).length
  if (options['restore'] === true) return given === 0 ? change : 'Give either a price or --restore.'
  return given === 0
    ? 'Give a price: --input 3 --output 15, in dollars per million tokens, or --restore.'
    : change
}

function listOf(value: string | boolean | undefined): string[] {
  if (typeof value !== 'string') return []
  return value
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
}
