/** Owns conversion between units of measure. Refuses units of different kinds, and results that no number can hold. */
import type { JsonObject } from '@countersign/contract'
import { answer, brief, type ComputationResult, refuse } from './computing.ts'

export async function convertUnits(
  value: number,
  from: string,
  to: string,
): Promise<ComputationResult<JsonObject>> {
  const { convert, getMeasureKind, MeasureKind } = await import('convert')
  const read = (unit: string): Unit | undefined => {
    const own = ownUnits.get(spellings(unit).at(-1) ?? '')
    if (own) return own
    const name = spellings(unit).find((spelling) => typeof getMeasureKind(spelling) === 'number')
    return name === undefined ? undefined : { base: name, worth: 1 }
  }
  const kindOf = ({ base }: Unit) => (base === 'm/s' ? 'speed' : getMeasureKind(base))
  const [source, target] = [read(from), read(to)]
  if (!source || !target)
    return refuse(
      `${brief(source ? to : from)} is not a unit that is known here. Write it out, as kilometers, pounds or liters.`,
    )
  if (kindOf(source) !== kindOf(target))
    return refuse(`${brief(from)} and ${brief(to)} measure different things and cannot be converted.`)
  // The names were found in the table of the library just now; its types list each of them.
  const inLibrary = (amount: number, unit: string, other: string) =>
    unit === other ? amount : convert(amount, unit as 'm').to(other as 'm')
  if (kindOf(source) === MeasureKind.Temperature && inLibrary(value, source.base, 'K') < -1e-9)
    return refuse(`${value} ${brief(from)} is below absolute zero.`)
  const exact = inLibrary(value * source.worth, source.base, target.base) / target.worth
  const result = Number(exact.toPrecision(12))
  if (!Number.isFinite(result)) return refuse('The result is too large for a number.')
  return answer({ value, from, to, result })
}

interface Unit {
  readonly base: string
  /** How many of the base it is. */
  readonly worth: number
}

/** What the library does not have: speeds, and the energy of food. */
const ownUnits = new Map<string, Unit>(
  (
    [
      ['m/s', 1, ['m/s', 'mps', 'meters per second', 'metres per second']],
      ['m/s', 1 / 3.6, ['km/h', 'kmh', 'kph', 'kilometers per hour', 'kilometres per hour']],
      ['m/s', 0.44704, ['mph', 'mi/h', 'miles per hour']],
      ['m/s', 0.3048, ['ft/s', 'fps', 'feet per second']],
      ['m/s', 1852 / 3600, ['kn', 'kt', 'knot', 'knots']],
      ['J', 4.184, ['cal', 'calorie', 'calories']],
      ['J', 4184, ['kcal', 'kilocalorie', 'kilocalories']],
    ] as const
  ).flatMap(([base, worth, names]) => names.map((name) => [name, { base, worth }] as const)),
)

/** What people write beside the names that the library knows. */
const aliases = new Map([
  ['centigrade', 'celsius'],
  ['c', 'celsius'],
  ['f', 'fahrenheit'],
  ['k', 'kelvin'],
  ['kgs', 'kg'],
  ['kms', 'km'],
  ['sqft', 'sq ft'],
  ['sqm', 'm2'],
  ['sec', 's'],
  ['secs', 's'],
  ['mins', 'minutes'],
  ['hr', 'h'],
  ['hrs', 'h'],
  ['kwh', 'kWh'],
])

function spellings(unit: string): string[] {
  const plain = unit.trim().replace(/[\s_]+/g, ' ')
  const lower = plain.toLowerCase()
  return [plain, aliases.get(lower) ?? lower, lower].filter((spelling) => !ambiguous.has(spelling))
}

/** To the library a few bits or a part of one, to most people bytes. */
const ambiguous = new Set(['mb', 'kb', 'pb'])
