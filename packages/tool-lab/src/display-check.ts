/**
 * Puts hostile texts into every argument that takes a text, and reads the card that comes of it: nothing raw, nothing
 * left out that stood between two things that are shown, and a long text either whole or not taken.
 */
import { forDisplay, type JsonObject, type JsonValue } from '@countersign/contract'
import { type Check, type Findings, firstLineOf, openCheck } from './check.ts'
import { type HostileText, hostileTexts, lengths, longText, marks, numberedWord, raw } from './hostile.ts'
import { isObject, textPaths } from './schema.ts'
import { cardOf, type ToolUnderTest, textsIn } from './tool-under-test.ts'

export interface DisplayPlan {
  readonly subject: ToolUnderTest
  readonly taken: readonly JsonObject[]
  readonly step: (done: number) => Promise<void>
}

const mostPaths = 24

export async function checkDisplay({ subject, taken, step }: DisplayPlan): Promise<Check> {
  const findings = openCheck('display')
  const places = textPaths(subject.facts.schema).slice(0, mostPaths)
  if (places.length === 0) return findings.skip('it takes no text')
  // A hostile text is read on every card that is made of it, so in the smallest call that takes it.
  const smallest = taken.toSorted((a, b) => JSON.stringify(a).length - JSON.stringify(b).length)
  const tally = { shown: 0, refused: 0, places: 0, unseen: [] as string[] }
  for (const [done, place] of places.entries()) {
    const bases = smallest.filter((args) => replaced(args, place, '') !== undefined).slice(0, mostBases)
    if (bases.length === 0) continue
    tally.places += 1
    const name = place.join('.')
    for (const hostile of hostileTexts) {
      const card = await cardFor(subject, bases, place, hostile.text, findings)
      if (!card) {
        tally.refused += 1
        continue
      }
      tally.shown += 1
      readCard(card, hostile, name, findings)
    }
    const whole = await showsWhole(subject, bases, place, findings)
    if (whole === 'unseen') tally.unseen.push(name)
    await step(done + 1)
  }
  if (tally.places === 0) return findings.skip('no arguments were taken, so there was nothing to show')
  if (tally.unseen.length > 0) findings.note(`Its card does not show ${tally.unseen.join(', ')}.`)
  return findings.end(
    `${hostileTexts.length} hostile texts in ${tally.places === 1 ? 'one argument' : `${tally.places} arguments`}: ${tally.shown} shown safely, ${tally.refused} refused`,
  )
}

/** One call may take a text where another does not, as a unit that must fit a number. */
const mostBases = 5

interface ShownCard {
  readonly args: JsonObject
  /** What a surface shows, all of it. */
  readonly text: string
}

/** Nothing if the tool takes the text in none of these calls. */
async function cardFor(
  subject: ToolUnderTest,
  bases: readonly JsonObject[],
  place: readonly string[],
  text: string,
  findings: Findings,
): Promise<ShownCard | undefined> {
  for (const base of bases) {
    const args = takenWith(subject, base, place, text)
    if (!args) continue
    try {
      const { headline, preview } = cardOf(subject, args)
      const found = 'effects' in subject.definition ? await subject.effects(args) : undefined
      const effects =
        found?.kind === 'found' ? found.effects.flatMap((effect) => [effect.object, ...effect.leaves]) : []
      const parts = [headline, ...textsIn(preview), ...effects]
      return { args, text: parts.map((part) => forDisplay(part, { multiline: true }).text).join('\n') }
    } catch (error) {
      findings.problem(
        `threw while a hostile text was shown: ${firstLineOf(error)}`,
        'Refuse such a text in `input`, or show it as it is.',
        args,
      )
      return undefined
    }
  }
  return undefined
}

function takenWith(
  { facts, ambient }: ToolUnderTest,
  base: JsonObject,
  place: readonly string[],
  text: string,
): JsonObject | undefined {
  const given = replaced(base, place, text)
  try {
    const parsed = given === undefined ? undefined : ambient.inTool(() => facts.parse(given))
    return parsed?.kind === 'args' ? parsed.args : undefined
  } catch {
    // A parse that throws is told by the check of arguments.
    return undefined
  }
}

function readCard({ args, text }: ShownCard, hostile: HostileText, name: string, findings: Findings): void {
  if (raw.test(text))
    findings.problem(
      `lets ${hostile.name} through to the card`,
      'Return texts, which every surface makes safe.',
      args,
    )
  const dropped = text.includes(`${marks.before}${marks.after}`)
  if (dropped && !formsOf(hostile).some((form) => text.includes(form)))
    findings.problem(
      `drops ${hostile.name} of \`${name}\` from its card`,
      'Show the argument as it is: the surface makes it safe and says that it did.',
      args,
    )
}

/** As it may stand on a card: as it is, within JSON, or within an address. */
function formsOf({ text }: HostileText): string[] {
  const json = JSON.stringify(text).slice(1, -1)
  return [text, json, encodeURIComponent(text)].map((form) => forDisplay(form, { multiline: true }).text)
}

async function showsWhole(
  subject: ToolUnderTest,
  bases: readonly JsonObject[],
  place: readonly string[],
  findings: Findings,
): Promise<'whole' | 'cut' | 'unseen' | 'refused'> {
  for (const length of lengths) {
    const { text, words } = longText(length)
    const card = await cardFor(subject, bases, place, text, findings)
    if (!card) continue
    const shown = new Set(card.text.match(numberedWord))
    const missing = words.filter((word) => !shown.has(word)).length
    if (missing === words.length) return 'unseen'
    if (missing === 0) return 'whole'
    findings.problem(
      `cuts \`${place.join('.')}\`: of ${words.length} words its card shows ${words.length - missing}`,
      'Show all of it in the preview. What cannot be read cannot be approved.',
      card.args,
    )
    return 'cut'
  }
  return 'refused'
}

/** `*` is the first item or member that there is. Nothing if the way does not lead there. */
function replaced(value: JsonValue, place: readonly string[], text: string): JsonObject | undefined {
  const made = put(value, place, text)
  return isObject(made) ? made : undefined
}

function put(value: JsonValue | undefined, place: readonly string[], text: string): JsonValue | undefined {
  const [step, ...rest] = place
  if (step === undefined) return text
  if (Array.isArray(value)) {
    const first = value.length > 0 && step === '*' ? put(value[0], rest, text) : undefined
    return first === undefined ? undefined : [first, ...value.slice(1)]
  }
  if (!isObject(value)) return undefined
  const key = step === '*' ? Object.keys(value)[0] : step
  if (key === undefined) return undefined
  const member = put(value[key], rest, text)
  return member === undefined ? undefined : { ...value, [key]: member }
}
