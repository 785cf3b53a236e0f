/** `countersign automation`: what runs by itself, when it does, and why it did not. */
import {
  CountersignError,
  localText,
  type MailLook,
  type OccurrenceState,
  type OccurrenceView,
  type ScheduleChanged,
  type SchedulePreview,
  type ScheduleSettings,
  type ScheduleView,
} from '@countersign/contract'
import type { Client } from '@countersign/contract/client'
import type { Context, Handler } from '../context.ts'
import { type CommandAnswer, done } from '../output/answer.ts'
import type { Ink, Paint } from '../output/colour.ts'
import { columns, indent } from '../output/columns.ts'
import { usage } from '../output/failure.ts'
import { money } from '../output/money.ts'
import { ledgerMark } from '../output/receipt.ts'
import { line, lines } from '../output/safe-text.ts'
import { table } from '../output/table.ts'
import { tierLabel } from '../output/tier.ts'
import { clockTime } from '../output/time.ts'
import { shortId } from '../short-id.ts'
import { settingsOf, withSentence } from './automation-settings.ts'

const first = 'Create one with `countersign automation add "every weekday 8:00 send me a brief"`.'

export const list: Handler = async (context) => {
  const automations = await (await context.gateway()).client.schedules()
  return done({ automations }, () => {
    if (automations.length === 0) return `There are no automations. ${first}`
    const rows = automations.map((each) => [
      line(each.name),
      line(each.words),
      each.status === 'paused' ? 'paused' : each.next.map((at) => clockTime(at, context.moment())).join(', '),
      dots(each.last, context.paint),
      tierLabel(each.tierMax, context.paint),
      `${each.averageCostUsd === null ? '' : `${money(each.averageCostUsd)} of `}${money(each.maxCostUsd)}`,
    ])
    return [
      table(['Automation', 'When', 'Next', 'Last', 'Up to', 'A run'], rows, context.host.output.columns),
      ...(automations.some(({ last }) => last.length > 0) ? ['', legend(context.paint)] : []),
    ].join('\n')
  })
}

export const add: Handler = async (context, [sentence = ''], options) => {
  const { now, zone = 'UTC' } = context.moment()
  const read = settingsOf(options, { now, zone })
  if (read.kind === 'problem') return usage(read.message, 'automation add')
  const made = withSentence(read.settings, sentence, options, { now, zone })
  if ('problem' in made) return usage(made.problem, 'automation add')
  const { client } = await context.gateway()
  if (options['dryRun'] === true) {
    const preview = await client.previewSchedule(made.added)
    return done({ ...preview, kept: false }, () =>
      [previewText(preview, context), '', 'Nothing was saved. Remove --dry-run to save it.'].join('\n'),
    )
  }
  const added = await client.addSchedule(made.added)
  return done({ ...added }, () => changedText('Added', added, context))
}

export const show: Handler = async (context, [ref = '']) => {
  const automation = await find((await context.gateway()).client, ref)
  return done({ automation }, () => automationText(automation, context))
}

export const set: Handler = async (context, [ref = ''], options) => {
  const { now, zone = 'UTC' } = context.moment()
  const read = settingsOf(options, { now, zone })
  if (read.kind === 'problem') return usage(read.message, 'automation set')
  if (Object.keys(read.settings).length === 0)
    return usage('Say what to change, for example --cron or --max-cost.', 'automation set')
  const { client } = await context.gateway()
  const before = await find(client, ref)
  const changed = await client.changeSchedule(before.id, read.settings)
  return done({ ...changed }, () =>
    [
      changedText('Changed', changed, context),
      ...(changed.schedule.version > before.version
        ? [`This is version ${changed.schedule.version}: grants of the previous version do not apply to it.`]
        : []),
    ].join('\n'),
  )
}

export const run: Handler = async (context, [ref = '']) => {
  const { client } = await context.gateway()
  const { id, name } = await find(client, ref)
  const fired = await client.runSchedule(id)
  const { occurrence, ledger } = fired
  return done({ ...fired }, () =>
    occurrence.state === 'skipped' || occurrence.state === 'suppressed'
      ? `${line(name)} cannot run now. ${line(occurrence.because)}${ledgerMark(ledger)}`
      : [
          `Set off ${line(name)}.${ledgerMark(ledger)}`,
          `See how it ends with \`countersign automation history ${quoted(name)}\`.`,
        ].join('\n'),
  )
}

export const look: Handler = async (context, [ref = '']) => {
  const { client } = await context.gateway()
  const { id, name } = await find(client, ref)
  const looked = await client.lookForMail(id)
  const { started, look: how } = looked
  const runs = started === 1 ? 'One run' : `${started} runs`
  return done({ ...looked }, () =>
    [
      started === 0 ? `Nothing new started ${line(name)}.` : `${runs} of ${line(name)} started.`,
      ...lookSentences(how),
    ].join('\n'),
  )
}

export const pause: Handler = (context, [ref], options) =>
  turn(context, 'paused', ref, options['all'] === true)

export const resume: Handler = (context, [ref], options) =>
  turn(context, 'active', ref, options['all'] === true)

export const history: Handler = async (context, [ref = ''], options) => {
  const limit = typeof options['limit'] === 'string' ? options['limit'] : '20'
  if (!/^[1-9]\d{0,2}$/.test(limit)) return usage('--limit is a number from 1 to 999.', 'automation history')
  const { client } = await context.gateway()
  const { id, name } = await find(client, ref)
  const occurrences = await client.occurrences(id, { limit })
  return done({ occurrences }, () =>
    occurrences.length === 0
      ? `${line(name)} has not been due yet.`
      : table(
          ['Due', 'Outcome', 'Why', 'Run', 'Cost'],
          occurrences.map((each) => historyRow(each, context)),
          context.host.output.columns,
        ),
  )
}

export const whyNot: Handler = async (context, [ref = ''], options) => {
  const day = dayOf(options['date'], context)
  if (day === undefined)
    return usage('--date is today, yesterday or a date such as 2026-03-31.', 'automation why-not')
  const { client } = await context.gateway()
  const { id } = await find(client, ref)
  const told = await client.whyNot(id, { day })
  return done({ ...told }, () =>
    [
      `${line(told.name)} on ${told.day}: ${line(told.answer)}`,
      indent(columns(told.trace.map(({ step, sentence }) => [step, line(sentence)]))),
    ].join('\n'),
  )
}

export const remove: Handler = async (context, [ref = '']) => {
  const { client } = await context.gateway()
  const { id } = await find(client, ref)
  const removed = await client.removeSchedule(id)
  return done(
    { ...removed },
    `Removed ${line(removed.name)}. It does not run again.${ledgerMark(removed.ledger)}`,
  )
}

async function turn(
  context: Context,
  status: ScheduleView['status'],
  ref: string | undefined,
  isAll: boolean,
): Promise<CommandAnswer> {
  const verb = status === 'paused' ? 'pause' : 'resume'
  if (isAll === (ref !== undefined)) return usage(`Give one automation, or --all.`, `automation ${verb}`)
  const { client } = await context.gateway()
  const wanted = ref === undefined ? await client.schedules() : [await find(client, ref)]
  const changed: ScheduleChanged[] = []
  for (const each of wanted.filter((one) => one.status !== status))
    changed.push(await client.changeSchedule(each.id, { status }))
  const word = status === 'paused' ? 'Paused' : 'Resumed'
  return done({ automations: changed.map(({ schedule }) => schedule) }, () =>
    changed.length === 0
      ? `Nothing to ${verb}.`
      : changed
          .map(({ schedule, ledger }) => `${word} ${line(schedule.name)}.${ledgerMark(ledger)}`)
          .join('\n'),
  )
}

/** By id, by name whatever its case, or by the one name that begins so. */
async function find(client: Client, ref: string): Promise<ScheduleView> {
  const all = await client.schedules()
  const wanted = ref.toLowerCase()
  const exact = all.find(({ id, name }) => id === ref || name.toLowerCase() === wanted)
  const near = all.filter(({ name }) => name.toLowerCase().startsWith(wanted))
  const found = exact ?? (near.length === 1 ? near[0] : undefined)
  if (found) return found
  const names = near.map(({ name }) => line(name)).join(', ')
  throw new CountersignError(
    'not_found',
    near.length > 1
      ? `More than one automation starts with ${line(ref)}: ${names}.`
      : `There is no automation ${line(ref)}.`,
    { next: near.length > 1 ? 'Give more of the name.' : 'List them with `countersign automation list`.' },
  )
}

function changedText(verb: string, { schedule, ledger }: ScheduleChanged, context: Context): string {
  return [
    `${verb} ${line(schedule.name)}.${ledgerMark(ledger)}`,
    indent(columns(whenRows(schedule, context))),
  ].join('\n')
}

function previewText({ settings, words, next }: SchedulePreview, context: Context): string {
  const rows = whenRows({ ...settings, words, next }, context)
  return [line(settings.name), indent(columns([...rows, ...limitRows(settings, context)]))].join('\n')
}

interface ShownSchedule extends ScheduleSettings {
  readonly words: string
  readonly next: readonly string[]
}

function whenRows({ words, next, trigger, does }: ShownSchedule, context: Context): string[][] {
  const times = next.map((at) => clockTime(at, context.moment())).join(', ')
  return [
    ['When', line(words)],
    ...(trigger.kind === 'cron' ? [['Cron', line(trigger.expression)]] : []),
    ...(times === '' ? [] : [['Next', times]]),
    ['Does', line(doesWords(does))],
  ]
}

function limitRows(settings: ScheduleSettings, context: Context): string[][] {
  const { onFailure, missed, most, overlap, quiet, success, goal } = settings
  const told = [
    ...(onFailure.feed ? ['the feed'] : []),
    ...(onFailure.session ? [line(onFailure.session)] : []),
  ]
  return [
    ['Agent', line(settings.agent)],
    ...(goal === null ? [] : [['Goal', line(shortId(goal))]]),
    ...(success === '' ? [] : [['Done when', line(success)]]),
    ['Up to', tierLabel(settings.tierMax, context.paint)],
    ['Cost', `${money(settings.maxCostUsd)} a run`],
    ['If missed', missed === 'all' ? `${missedWords.all}, ${most} at most` : missedWords[missed]],
    ['If still running', overlapWords[overlap]],
    ...(quiet ? [['Quiet', `${quiet.from}–${quiet.to} ${line(quiet.zone)}`]] : []),
    ['On failure', told.join(' and ')],
  ]
}

/** What comes of times at which the gateway was not there. */
const missedWords = { skip: 'left out', once: 'made up for once', all: 'each is made up for' } as const

/** What comes of a time at which the last run goes on. */
const overlapWords = {
  skip: 'that time is left out',
  queue: 'the next waits for it',
  parallel: 'both run',
} as const

function automationText(automation: ScheduleView, context: Context): string {
  const { name, id, status, version, creator, label, last, look } = automation
  const rows = [
    ...whenRows(automation, context),
    ...limitRows(automation, context),
    ...(look ? [['E-mail', line(lookWords(look, context))]] : []),
    ['Version', `${version}, made by ${line(creator.id)}`],
    ...(last.length === 0 ? [] : [['Last', dots(last, context.paint)]]),
    ...(label?.integrity === 'untrusted'
      ? [['Made from', `untrusted content: ${label.sources.map(line).join(', ')}`]]
      : []),
  ]
  return [
    `${line(name)}  ${line(id)}${status === 'paused' ? '  paused' : ''}`,
    indent(columns(rows)),
    ...(automation.does.kind === 'prompt' && automation.does.text.includes('\n')
      ? ['', indent(lines(automation.does.text))]
      : []),
  ].join('\n')
}

function lookWords(how: MailLook, context: Context): string {
  const when =
    how.lookedAt === null ? 'not checked yet' : `checked ${clockTime(how.lookedAt, context.moment())}`
  return [`${when}.`, ...lookSentences(how)].join(' ')
}

function lookSentences({ problem, waiting }: MailLook): string[] {
  return [
    ...(problem === null ? [] : [`The last look did not work: ${line(problem)}`]),
    ...(waiting === 0 ? [] : [`${waiting} new e-mails wait for the next look.`]),
  ]
}

function historyRow(each: OccurrenceView, context: Context): string[] {
  const why = each.state === 'failed' && each.message !== '' ? each.message : each.because
  return [
    clockTime(each.dueAt, context.moment()),
    context.paint(marks[each.state].ink, each.state),
    line(why),
    each.run === null ? '' : line(shortId(each.run)),
    each.costUsd === null ? '' : money(each.costUsd),
  ]
}

function doesWords(does: ScheduleSettings['does']): string {
  if (does.kind === 'prompt') return does.text
  return does.kind === 'plan' ? `the plan ${does.plan}` : 'the feed'
}

const marks: Readonly<Record<OccurrenceState, { readonly mark: string; readonly ink: Ink }>> = {
  succeeded: { mark: '●', ink: 'good' },
  failed: { mark: '✗', ink: 'bad' },
  stopped: { mark: '✗', ink: 'quiet' },
  missed: { mark: '○', ink: 'quiet' },
  skipped: { mark: '○', ink: 'quiet' },
  suppressed: { mark: '○', ink: 'quiet' },
  queued: { mark: '◐', ink: 'plain' },
  running: { mark: '◐', ink: 'plain' },
  parked: { mark: '‖', ink: 'strong' },
}

function dots(states: readonly OccurrenceState[], paint: Paint): string {
  return states.map((state) => paint(marks[state].ink, marks[state].mark)).join('')
}

function legend(paint: Paint): string {
  const shown: [OccurrenceState, string][] = [
    ['succeeded', 'done'],
    ['failed', 'failed or stopped'],
    ['missed', 'did not run'],
    ['running', 'under way'],
    ['parked', 'waits for you'],
  ]
  return paint('quiet', shown.map(([state, words]) => `${marks[state].mark} ${words}`).join('  '))
}

function dayOf(given: string | boolean | undefined, context: Context): string | undefined {
  const { now, zone = 'UTC' } = context.moment()
  const today = localText(now.getTime(), zone).slice(0, 10)
  if (given === undefined || given === 'today') return today
  if (given === 'yesterday') return new Date(Date.parse(today) - 86_400_000).toISOString().slice(0, 10)
  return typeof given === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(given) && !Number.isNaN(Date.parse(given))
    ? given
    : undefined
}

function quoted(name: string): string {
  const safe = line(name)
  return /^[\w-]+$/.test(safe) ? safe : `"${safe}"`
}
