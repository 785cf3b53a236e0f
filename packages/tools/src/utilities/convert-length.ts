/** Converts lengths. */
import { z } from 'zod'
import { computing } from './computing.ts'
import { convertUnits } from './units.ts'

const unit = z.enum([
  'millimeters',
  'centimeters',
  'meters',
  'kilometers',
  'inches',
  'feet',
  'yards',
  'miles',
  'nautical miles',
])

export const convertLength = computing({
  name: 'convert_length',
  version: '1',
  description: 'Convert a length between metric and imperial units. For other measures use convert_units.',
  group: 'conversion',
  tags: [
    'distance',
    'height',
    'how far',
    'tall',
    'meters',
    'centimeters',
    'cm',
    'km',
    'feet',
    'foot',
    'inches',
    'miles',
    'kilometers',
    'yards',
    'metric',
    'imperial',
  ],
  input: z.strictObject({ value: z.number(), from: unit, to: unit }),
  describe: ({ value, from, to }) => `${value} ${from} in ${to}`,
  compute: ({ value, from, to }) => convertUnits(value, from, to),
})
