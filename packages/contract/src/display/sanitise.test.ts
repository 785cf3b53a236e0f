import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type DisplayFlag, forDisplay, LONG_DISPLAY, mergeFlags } from './sanitise.ts'

interface Spoof {
  point: number
  flag: DisplayFlag
}

const spoofPoints: Spoof[] = [
  ...[...range(0x00, 0x1a), ...range(0x1c, 0x1f), 0x7f, 0x80, 0x85, 0x8d, 0x2028, 0x2029].map(as('control')),
  ...[0x1b, 0x90, 0x98, 0x9b, 0x9d, 0x9e, 0x9f].map(as('ansi')),
  ...[0x61c, 0x200e, 0x200f, ...range(0x202a, 0x202e), ...range(0x2066, 0x2069)].map(as('bidi')),
  ...[0x180e, 0x200b, 0x200c, 0x200d, 0x2060, 0xfeff].map(as('zero-width')),
  ...[0xad, 0x34f, 0x115f, 0x1160, 0x17b4, 0x17b5, 0x180b, 0x180f, 0x3164, 0xffa0].map(as('ignorable')),
  ...[...range(0x2061, 0x2065), ...range(0x206a, 0x206f), ...range(0xfff0, 0xfffc)].map(as('ignorable')),
  ...[...range(0xfe00, 0xfe0f), 0xe0100, 0xe01ef].map(as('ignorable')),
  ...[0xe0000, 0xe0001, ...range(0xe0020, 0xe0030), 0xe007f, 0xe0fff].map(as('ignorable')),
  ...[0x13430, 0x1bca0, 0x1d159, 0x1d173, 0x1d17a].map(as('ignorable')),
  ...[0xd800, 0xdbff, 0xdc00, 0xdfff, 0xe000, 0xf8ff, 0xf0000, 0x10fffd].map(as('control')),
  ...[0xfdd0, 0xfdef, 0xfffe, 0xffff, 0x1fffe, 0xeffff, 0x10ffff].map(as('control')),
]

const dangerous =
  /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}]/u

const plainTexts: [language: string, text: string][] = [
  ['English', 'Send 3 files to ana@example.org — "today", isn’t it? https://example.org/a?b=c#d'],
  ['German', 'Zwölf Boxkämpfer jagen Viktor quer über den großen Sylter Deich.'],
  ['French', 'Où est le cœur ? « Ici », dit-elle ; 10\u202f000\u00a0€.'],
  ['Polish', 'Zażółć gęślą jaźń.'],
  ['Turkish', 'Pijamalı hasta yağız şoföre çabucak güvendi. IĞDIR'],
  ['Vietnamese, decomposed', 'Tại sao họ không thể chỉ nói tiếng Việt?'.normalize('NFD')],
  ['Russian', 'Съешь же ещё этих мягких французских булок: USB-кабель, IT и 3D-модель.'],
  ['Ukrainian', 'Жебракують філософи при ґанку церкви в Гадячі, ще й шатро їхнє п’яне.'],
  ['Greek', 'Ξεσκεπάζω την ψυχοφθόρα βδελυγμία.'],
  ['units', 'A 10 μm gap, 4.7 kΩ, Δx = 2πr and 5 µs.'],
  ['Armenian', 'Բել դղյակի ձախ ժամն օֆ ազգությանը ցպահանջ չճշտած վնաս էր եւ փառք։'],
  ['Georgian', 'ქართული ენა და დამწერლობა.'],
  ['Hebrew with points', 'בְּרֵאשִׁית בָּרָא אֱלֹהִים אֵת הַשָּׁמַיִם וְאֵת הָאָרֶץ׃'],
  ['Arabic with marks', 'السَّلَامُ عَلَيْكُمْ وَرَحْمَةُ اللهِ، كيف حالك؟ ١٢٣'],
  ['Persian', 'سلام دنیا، حال شما چطور است؟'],
  ['Urdu', 'یہ ایک سادہ جملہ ہے۔'],
  ['Hindi', 'नमस्ते दुनिया, आप कैसे हैं? हिन्दी में लिखा है।'],
  ['Bengali', 'বাংলা ভাষায় লেখা একটি বাক্য।'],
  ['Tamil', 'தமிழில் எழுதப்பட்ட வாக்கியம்.'],
  ['Telugu', 'తెలుగు భాషలో ఒక వాక్యం.'],
  ['Thai', 'เป็นมนุษย์สุดประเสริฐเลิศคุณค่า ใช้iPhoneได้'],
  ['Lao', 'ສະບາຍດີຊາວໂລກ'],
  ['Khmer', 'ភាសាខ្មែរគឺជាភាសាមួយ។'],
  ['Burmese', 'မြန်မာဘာသာစကား မြို့ ကြွှေး'],
  ['Tibetan', 'བོད་སྐད་ཀྱི་ཚིག་ཅིག'],
  ['Amharic', 'ሰላም ለዓለም።'],
  ['Chinese', '打开PDF文件,发送给张三。他們爲什麽不說中文?'],
  ['Japanese', '日本語のテキスト「テスト」です。ＡＢＣ　１２３'],
  ['Korean', '한국어로 쓴 문장입니다. 카카오톡 앱.'],
  ['emoji', 'Done ✅ 👍🏽 🇩🇪 ❤️ ☎️ 1️⃣ #️⃣ 😀'],
  ['code', 'if (a < b) { return `${c}` } // ok\\n'],
]

describe('forDisplay', () => {
  test('covers at least 150 spoofing characters', () => {
    expect(spoofPoints.length).toBeGreaterThanOrEqual(150)
  })

  test('shows every spoofing character as an escape and raises its flag', () => {
    for (const { point, flag } of spoofPoints) {
      for (const around of [
        ['rm -rf ', 'backup'],
        ['', 'invoice.pdf'],
        ['שלום', ''],
        ['नम', 'स्ते'],
      ] as const) {
        const spoof = around[0] + String.fromCodePoint(point) + around[1]
        const shown = forDisplay(spoof)
        expect(shown.text).toBe(`${around[0]}${escapeFor(point)}${around[1]}`)
        expect(shown.flags).toEqual([flag])
        expect(dangerous.test(shown.text)).toBe(false)
      }
    }
  })

  test('leaves plain text in many languages as it is, without a flag', () => {
    for (const [language, text] of plainTexts) {
      expect({ language, ...forDisplay(text) }).toEqual({ language, text, flags: [] })
      expect(forDisplay(`${text}\n\t${text}`, { multiline: true }).flags).toEqual([])
    }
  })

  test('keeps newlines and tabs only in multi-line mode', () => {
    expect(forDisplay('a\n\tb', { multiline: true })).toEqual({ text: 'a\n\tb', flags: [] })
    expect(forDisplay('a\n\tb')).toEqual({ text: 'a⟨U+000A⟩⟨U+0009⟩b', flags: ['control'] })
    expect(forDisplay('a\r\nb', { multiline: true })).toEqual({ text: 'a⟨U+000D⟩\nb', flags: ['control'] })
  })

  test('hides nothing that follows a run of escaped newlines', () => {
    expect(forDisplay(`${'\n'.repeat(9)}\u202e`).text).toBe(`${'⟨U+000A⟩'.repeat(9)}⟨U+202E⟩`)
  })

  test('counts out a run of more than eight blanks', () => {
    expect(forDisplay(`a${' '.repeat(8)}b`)).toEqual({ text: `a${' '.repeat(8)}b`, flags: [] })
    expect(forDisplay(`a${' '.repeat(9)}b`)).toEqual({ text: 'a⟨␠×9⟩b', flags: ['padding'] })
    expect(forDisplay(`a${' '.repeat(212)}b`)).toEqual({ text: 'a⟨␠×212⟩b', flags: ['padding'] })
    for (const blank of ['\u00a0', '\u2003', '\u2800', '\u3000', '\u1680', '\u205f']) {
      const name = escapeFor(blank.codePointAt(0) ?? 0).slice(0, -1)
      expect(forDisplay(`a${blank.repeat(9)}b`).text).toBe(`a${name}×9⟩b`)
      expect(forDisplay(`a${` ${blank}`.repeat(5)}b`).text).toBe(`a${`⟨␠×1⟩${name}×1⟩`.repeat(5)}b`)
    }
    expect(forDisplay(`a\n${'\t'.repeat(9)}b`, { multiline: true }).text).toBe('a\n⟨U+0009×9⟩b')
  })

  test('counts out a run of more than eight line breaks', () => {
    const lines = { multiline: true }
    expect(forDisplay(`a${'\n'.repeat(8)}b`, lines).flags).toEqual([])
    expect(forDisplay(`a${'\n'.repeat(9)}b`, lines)).toEqual({ text: 'a⟨␤×9⟩b', flags: ['padding'] })
    const mixed = { text: `a${'⟨␤×1⟩⟨␠×1⟩'.repeat(40)}b`, flags: ['padding'] }
    expect(forDisplay(`a${'\n '.repeat(40)}b`, lines)).toEqual(mixed)
    expect(forDisplay(`a\n${' '.repeat(8)}b`, lines).flags).toEqual([])
  })

  test('flags what was escaped before, by whomever', () => {
    for (const { point, flag } of spoofPoints) {
      expect(forDisplay(forDisplay(`a${String.fromCodePoint(point)}b`).text).flags).toEqual([flag])
    }
    for (const padding of ['⟨␠×9⟩', '⟨␤×12⟩', '⟨U+00A0×9⟩']) {
      expect(forDisplay(`a${padding}b`)).toEqual({ text: `a${padding}b`, flags: ['padding'] })
    }
    for (const plain of ['⟨U+20⟩', '⟨U+zzzz⟩', '⟨x⟩ × 3', 'U+202E'])
      expect(forDisplay(plain).flags).toEqual([])
  })

  test('keeps five combining marks on a base and escapes the sixth', () => {
    const mark = '\u0301'
    expect(forDisplay(`a${mark.repeat(5)}b`)).toEqual({ text: `a${mark.repeat(5)}b`, flags: [] })
    expect(forDisplay(`a${mark.repeat(7)}b`)).toEqual({
      text: `a${mark.repeat(5)}⟨U+0301⟩⟨U+0301⟩b`,
      flags: ['ignorable'],
    })
  })

  test('escapes a combining mark that would sit on an escape or on nothing', () => {
    expect(forDisplay('\u202e\u0338').text).toBe('⟨U+202E⟩⟨U+0338⟩')
    expect(forDisplay('\u0338a').text).toBe('⟨U+0338⟩a')
    expect(forDisplay(`${' '.repeat(9)}\u0338`).text).toBe('⟨␠×9⟩⟨U+0338⟩')
    expect(forDisplay('⟨U+202E⟩\u0338').text).toBe('⟨U+202E⟩⟨U+0338⟩')
  })

  test('keeps the emoji variation selector on an emoji and nowhere else', () => {
    expect(forDisplay('❤\ufe0f').flags).toEqual([])
    expect(forDisplay('7\ufe0f\u20e3').flags).toEqual([])
    expect(forDisplay('a\ufe0f').text).toBe('a⟨U+FE0F⟩')
    expect(forDisplay('7\ufe0f').text).toBe('7⟨U+FE0F⟩')
    expect(forDisplay('❤\ufe0f\ufe0f').text).toBe('❤\ufe0f⟨U+FE0F⟩')
    expect(forDisplay('❤\ufe0e').text).toBe('❤⟨U+FE0E⟩')
  })

  test('escapes joiners even inside emoji and words that use them', () => {
    expect(forDisplay('👨\u200d👩')).toEqual({ text: '👨⟨U+200D⟩👩', flags: ['zero-width'] })
    expect(forDisplay('می\u200cخواهم')).toEqual({ text: 'می⟨U+200C⟩خواهم', flags: ['zero-width'] })
  })

  test('disarms terminal sequences and leaves their letters to read', () => {
    expect(forDisplay('\u001b[2K\u001b]0;ok\u0007Allow')).toEqual({
      text: '⟨U+001B⟩[2K⟨U+001B⟩]0;ok⟨U+0007⟩Allow',
      flags: ['ansi', 'control'],
    })
  })

  test('flags words whose letters imitate others', () => {
    for (const spoof of [
      'pаypal',
      'аpple',
      'gооgle',
      'ΡayPal',
      'Ꭺpple',
      'gοοgle',
      'раyраl',
      'a1а',
      'K\u212a',
      '𝐩𝐚𝐲',
    ]) {
      expect({ spoof, flags: forDisplay(spoof).flags }).toEqual({ spoof, flags: ['homoglyph'] })
      expect(forDisplay(spoof).text).toContain('⟨U+')
    }
    expect(forDisplay('example.org∕path').flags).toEqual(['homoglyph'])
    expect(forDisplay('1⁄2 cup').flags).toEqual([])
  })

  test('flags long text and shows all of it', () => {
    const text = 'word '.repeat(3_000).trimEnd()
    expect(forDisplay(text)).toEqual({ text, flags: ['long'] })
    expect(forDisplay('a'.repeat(LONG_DISPLAY)).flags).toEqual([])
    expect(forDisplay('a'.repeat(LONG_DISPLAY + 1)).flags).toEqual(['long'])
  })

  test('lets no dangerous character through, of all that Unicode has', () => {
    const through: string[] = []
    for (let point = 0; point <= 0x10ffff; point += 1) {
      const character = String.fromCodePoint(point)
      if (dangerous.test(character) && dangerous.test(forDisplay(character).text))
        through.push(point.toString(16))
    }
    expect(through).toEqual([])
  })

  test('changes nothing the second time and lets nothing dangerous through', () => {
    const character = fc.oneof(
      fc.constantFrom(...spoofPoints.map(({ point }) => String.fromCodePoint(point))),
      fc.constantFrom(
        ...Array.from(' \t\n\u00a0\u0301\u0338\u20e3❤1⟨⟩a'),
        '👨',
        '\ufe0f',
        ' '.repeat(9),
        '\n'.repeat(9),
        '⟩\u0301',
      ),
      fc.string({ unit: 'binary', minLength: 1, maxLength: 2 }),
    )
    fc.assert(
      fc.property(fc.array(character, { maxLength: 30 }), fc.boolean(), (parts, multiline) => {
        const text = parts.join('')
        const shown = forDisplay(text, { multiline }).text
        expect(forDisplay(shown, { multiline }).text).toBe(shown)
        const rest = shown.replace(/(?<=[\p{Extended_Pictographic}0-9#*])\ufe0f/gu, '')
        expect(dangerous.test(multiline ? rest.replace(/[\n\t]/g, '') : rest)).toBe(false)
        expect(shown.isWellFormed()).toBe(true)
      }),
      { numRuns: 2_000 },
    )
  })

  test('merges flags without repeats and in a fixed order', () => {
    expect(mergeFlags(['long', 'bidi'], [], ['bidi', 'ansi'])).toEqual(['bidi', 'ansi', 'long'])
  })
})

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index)
}

function as(flag: DisplayFlag): (point: number) => Spoof {
  return (point) => ({ point, flag })
}

function escapeFor(point: number): string {
  return `⟨U+${point.toString(16).toUpperCase().padStart(4, '0')}⟩`
}

describe('imitations', () => {
  test('are written out, so that they show in every list', () => {
    const shown = forDisplay('Read the page https://www.p\u0430ypal.com/login')
    expect(shown).toEqual({
      text: 'Read the page https://www.p⟨U+0430⟩ypal.com/login',
      flags: ['homoglyph'],
    })
    expect(forDisplay(shown.text)).toEqual(shown)
  })

  test('of a whole name in an address are written out too', () => {
    expect(forDisplay('Read https://\u0430\u0440\u0440\u04cf\u0435.com/').text).toBe(
      'Read https://⟨U+0430⟩⟨U+0440⟩⟨U+0440⟩⟨U+04CF⟩⟨U+0435⟩.com/',
    )
  })

  test('leave a text of another language as it is', () => {
    for (const text of ['Файл хор.doc готов', 'JSON-файл', 'https://пример.рф/', 'Δt = 5 μs'])
      expect(forDisplay(text)).toEqual({ text, flags: [] })
  })
})
