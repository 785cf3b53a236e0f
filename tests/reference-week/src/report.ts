/** Owns the figures of a week as lines to read. */
import type { WeekFigures } from './figures.ts'
import type { PartMeasure } from './weeks/measure.ts'

export function partLines(measured: PartMeasure): string[] {
  const { part, chat, withDeclared, labels } = measured
  const open = labels.differ.filter(({ stands }) => stands === null).length
  return [
    part,
    figuresLine('a session for each task', measured),
    figuresLine('one session', chat),
    figuresLine('with declared tools', withDeclared),
    `  two labellings: ${labels.agreed} of ${labels.calls} alike, kappa ${labels.kappa.toFixed(2)}, ${open} of ${labels.differ.length} open`,
  ]
}

export function figuresLine(title: string, one: WeekFigures): string {
  return `  ${title.padEnd(24)} ${[
    `${one.ownDecisionsPerDay} own decisions a day`,
    `${one.tasksWithoutStop} % of ${one.tasks} tasks without a stop`,
    `${one.unneededPer100} unneeded of ${one.promptsPer100} prompts in 100 of ${one.calls} calls`,
    `${one.attentionMinutesPerWeek} min a week`,
    `${one.attackLoad} rows an attacked task`,
    `${one.heldRows} rows of what was held, with ${one.heldOwn.length} own calls that nobody asked for and ${one.heldWished.length} that were (${one.heldWished.join(' ')})`,
    `${one.unsafe} unsafe of ${one.guarded}`,
    `${one.transplantedOutward} outward and ${one.transplantedInside} inside of ${one.transplanted} transplanted`,
    `${one.scopesAskedAgain.length} asked again`,
    `${one.withGrants.promptsPer100} with ${one.withGrants.grants} grants`,
  ].join('; ')}`
}
