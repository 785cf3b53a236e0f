import { describe, expect, test } from 'vitest'
import { decodePunycode } from './punycode.ts'

/** Samples of RFC 3492, section 7.1. */
const samples: [encoded: string, decoded: string][] = [
  ['egbpdaj6bu4bxfgehfvwxn', 'ليهمابتكلموشعربي؟'],
  ['ihqwcrb4cv8a8dqg056pqjye', '他们为什么不说中文'],
  ['ihqwctvzc91f659drss3x8bo0yb', '他們爲什麽不說中文'],
  ['Proprostnemluvesky-uyb24dma41a', 'Pročprostěnemluvíčesky'],
  ['4dbcagdahymbxekheh6e0a7fei0b', 'למההםפשוטלאמדבריםעברית'],
  ['i1baa7eci9glrd9b2ae1bj0hfcgg6iyaf8o0a1dig0cd', 'यहलोगहिन्दीक्योंनहींबोलसकतेहैं'],
  ['n8jok5ay5dzabd5bym9f0cm5685rrjetr6pdxa', 'なぜみんな日本語を話してくれないのか'],
  ['b1abfaaepdrnnbgefbaDotcwatmq2g4l', 'почемужеонинеговорятпорусски'],
  ['PorqunopuedensimplementehablarenEspaol-fmd56a', 'PorquénopuedensimplementehablarenEspañol'],
  ['TisaohkhngthchnitingVit-kjcr8268qyxafd2f1b9g', 'TạisaohọkhôngthểchỉnóitiếngViệt'],
  ['3B-ww4c5e180e575a65lsy2b', '3年B組金八先生'],
  ['-with-SUPER-MONKEYS-pc58ag80a8qai00g7n9n', '安室奈美恵-with-SUPER-MONKEYS'],
  ['Hello-Another-Way--fc4qua05auwb3674vfr0b', 'Hello-Another-Way-それぞれの場所'],
  ['2-u9tlzr9756bt3uc0v', 'ひとつ屋根の下2'],
  ['MajiKoi5-783gue6qz075azm5e', 'MajiでKoiする5秒前'],
  ['de-jg4avhby1noc0d', 'パフィーdeルンバ'],
  ['d9juau41awczczp', 'そのスピードで'],
]

describe('decodePunycode', () => {
  test('decodes the published samples', () => {
    for (const [encoded, decoded] of samples) {
      expect(decodePunycode(encoded)).toBe(decoded)
    }
  })

  test('refuses what does not decode', () => {
    for (const encoded of [
      'zzzz',
      '99999999',
      'mnchen-3y!',
      'mnchen-3y9',
      'é-3ya',
      `${'a'.repeat(60)}-3ya`,
    ]) {
      expect({ encoded, decoded: decodePunycode(encoded) }).toEqual({ encoded, decoded: undefined })
    }
    expect(decodePunycode('mnchen-3ya')).toBe('münchen')
  })
})
