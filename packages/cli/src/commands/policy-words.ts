/** Owns how policies, versions and simulations are written in a terminal. */

import type {
  PolicyCheck,
  PolicyRuleView,
  PolicySimulation,
  PolicyVersionDetail,
  PolicyVersionView,
  PolicyView,
} from '@countersign/contract'
import type { Context } from '../context.ts'
import { columns, indent } from '../output/columns.ts'
import { line } from '../output/safe-text.ts'
import { tierLabel } from '../output/tier.ts'
import { ago, clockTime } from '../output/time.ts'

const shownCalls = 20

export function policyShown(view: PolicyView, context: Context): string {
  const { version, rules, always, levels } = view
  const about = levels.find(({ level }) => level === version.autonomy)?.about ?? ''
  return [
    versionLine(version, context),
    '',
    `${context.paint('strong', `Level ${version.autonomy}`)}  ${about}`,
    '',
    ...rulesText('Your rules', rules, context),
    ...section('At every level', always, context),
    ...section('Only with your passkey', version.passkeyTools.map(line), context),
  ]
    .join('\n')
    .trimEnd()
}

export function detailShown({ version, rules }: PolicyVersionDetail, context: Context): string {
  return [
    versionLine(version, context),
    `Level ${version.autonomy}`,
    '',
    ...rulesText('Rules', rules, context),
    ...section('Only with your passkey', version.passkeyTools.map(line), context),
    ...section('Asked less than the version before', version.loosens.map(line), context, ''),
  ]
    .join('\n')
    .trimEnd()
}

export function levelsShown({ version, levels }: PolicyView): string {
  const rows = levels.map(({ level, about, asksPer100 }) => [
    level === version.autonomy ? '*' : ' ',
    level,
    asksPer100 === null ? '' : `${Math.round(asksPer100)} in 100`,
    about,
  ])
  return columns([['', 'Level', 'Asks', 'What it means'], ...rows])
}

export function versionsShown(versions: readonly PolicyVersionView[], context: Context): string {
  const rows = versions.map((version) => [
    String(version.number),
    clockTime(version.at, context.moment()),
    whoChanged(version),
    version.autonomy,
    String(version.files.length),
    version.loosens.length === 0 ? '' : 'asked less',
  ])
  return columns([['Version', 'Since', 'By', 'Level', 'Files', ''], ...rows])
}

export function checkShown({ problems, rules, loosens, same }: PolicyCheck, context: Context): string {
  if (problems.length > 0)
    return problems.map(({ file, line: at, message }) => `${line(file)}:${at} ${line(message)}`).join('\n')
  return [
    same ? 'This is what is in force.' : 'The draft is valid.',
    '',
    ...rulesText('Rules', rules, context),
    ...section('It asks less than what is in force', loosens.map(line), context, ''),
  ]
    .join('\n')
    .trimEnd()
}

export function simulationShown(simulation: PolicySimulation, context: Context): string {
  const { calls, before, after, changed, newlyAllowed, newlyAsked, newlyRefused } = simulation
  if (calls === 0) return 'No past calls to try it on yet.'
  const rows = changed
    .slice(0, shownCalls)
    .map((call) => [
      ago(call.at, context.moment()),
      `${outcomes[call.before]} → ${outcomes[call.after]}`,
      tierLabel(call.tier, context.paint),
      line(call.headline),
      call.run,
    ])
  const more = newlyAllowed + newlyAsked + newlyRefused - rows.length
  return [
    simulationSentence(simulation),
    '',
    columns([
      ['', 'Allowed', 'Asked', 'Refused'],
      ['Now', String(before.allow), String(before.ask), String(before.deny)],
      ['Draft', String(after.allow), String(after.ask), String(after.deny)],
    ]),
    ...(rows.length === 0 ? [] : ['', columns([['When', 'Change', 'Tier', 'Call', 'Run'], ...rows])]),
    ...(more > 0 ? [`and ${more} more`] : []),
  ].join('\n')
}

export function simulationSentence({ calls, before, after, newlyAllowed, newlyRefused }: PolicySimulation) {
  const fewer = before.ask - after.ask
  const asks =
    fewer === 0
      ? 'asked as often'
      : `asked ${Math.abs(fewer)} ${Math.abs(fewer) === 1 ? 'time' : 'times'} ${fewer > 0 ? 'less' : 'more'}`
  return `In your last ${calls} calls it would have ${asks}, allowed ${newlyAllowed} more and refused ${newlyRefused} more.`
}

const outcomes = { allow: 'allowed', ask: 'asked', deny: 'refused' } as const

function versionLine(version: PolicyVersionView, context: Context): string {
  const sealed = version.sealedBy === 'passkey' ? ', with the passkey' : ''
  return `Policy version ${version.number}, since ${clockTime(version.at, context.moment())}, by ${whoChanged(version)}${sealed}`
}

function whoChanged({ by }: PolicyVersionView): string {
  return by.kind === 'gateway' ? 'the files of this host' : line(by.name)
}

function rulesText(title: string, rules: readonly PolicyRuleView[], context: Context): string[] {
  return section(
    title,
    rules.map(
      ({ sentence, why, file, line: at, id }) =>
        `${line(sentence)}${why === '' ? '' : `\n  ${line(why)}`}\n  ${context.paint('quiet', `${line(id)}  ${line(file)}:${at}`)}`,
    ),
    context,
  )
}

/** Left out whole where it is empty and nothing stands for that. */
function section(title: string, body: readonly string[], context: Context, empty = 'none'): string[] {
  if (body.length === 0 && empty === '') return []
  return [context.paint('strong', title), indent(body.length === 0 ? empty : body.join('\n')), '']
}
