/** Converts temperatures. */
import { z } from 'zod'
import { computing } from './computing.ts'
import { convertUnits } from './units.ts'

const unit = z.enum(['celsius', 'fahrenheit', 'kelvin'])

export const convertTemperature = computing({
  name: 'convert_temperature',
  version: '1',
  description:
    'Convert a temperature between celsius, fahrenheit, kelvin. For other measures use convert_units.',
  group: 'conversion',
  tags: [
    'degrees',
    'celsius',
    'centigrade',
    'fahrenheit',
    'kelvin',
    'weather',
    'oven',
    'hot',
    'cold',
    'warm',
    'temperature',
  ],
  input: z.strictObject({ value: z.number(), from: unit, to: unit }),
  describe: ({ value, from, to }) => `${value} ${from} in ${to}`,
  compute: ({ value, from, to }) => convertUnits(value, from, to),
})
