/** Converts weights. */
import { z } from 'zod'
import { computing } from './computing.ts'
import { convertUnits } from './units.ts'

const unit = z.enum(['milligrams', 'grams', 'kilograms', 'tonnes', 'ounces', 'pounds', 'stone'])

export const convertWeight = computing({
  name: 'convert_weight',
  version: '1',
  description: 'Convert a weight between metric and imperial units. For other measures use convert_units.',
  group: 'conversion',
  tags: [
    'mass',
    'kilograms',
    'kilos',
    'kg',
    'pounds',
    'lbs',
    'grams',
    'ounces',
    'oz',
    'stone',
    'heavy',
    'cooking',
    'how much does it weigh',
  ],
  input: z.strictObject({ value: z.number(), from: unit, to: unit }),
  describe: ({ value, from, to }) => `${value} ${from} in ${to}`,
  compute: ({ value, from, to }) => convertUnits(value, from, to),
})
