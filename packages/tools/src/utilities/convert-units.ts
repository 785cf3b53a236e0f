/** Converts between units of any measure. */
import { z } from 'zod'
import { brief, computing } from './computing.ts'
import { convertUnits as convert } from './units.ts'

const unit = z.string().min(1).max(40)

export const convertUnits = computing({
  name: 'convert_units',
  version: '1',
  description:
    'Convert between units of length, mass, volume, area, temperature, speed, time, data, energy, power, pressure, force or angle.',
  group: 'conversion',
  tags: [
    'measure',
    'metric',
    'imperial',
    'miles',
    'kilometers',
    'km/h',
    'mph',
    'pounds',
    'litres',
    'gallons',
    'cups',
    'pints',
    'bytes',
    'megabytes',
    'gigabytes',
    'gb',
    'mb',
    'speed',
    'fast',
    'how many',
    'calories',
    'acres',
    'hectares',
    'square feet',
    'hours',
    'minutes',
    'cm',
    'kg',
  ],
  input: z.strictObject({ value: z.number(), from: unit, to: unit }),
  describe: ({ value, from, to }) => `${value} ${brief(from)} in ${brief(to)}`,
  compute: ({ value, from, to }) => convert(value, from, to),
})
