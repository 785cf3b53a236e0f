/** Owns one example of every utility, or a few: what it is given and what must come of it. For tests only. */
import type { JsonObject } from '@countersign/contract'

export interface Example {
  readonly tool: string
  readonly args: JsonObject
  /** The whole answer, or a question about it. */
  readonly check: JsonObject | string | readonly unknown[] | ((answer: unknown) => boolean)
}

export const examples: readonly Example[] = [
  { tool: 'get_current_datetime', args: { timezone: 'Asia/Tokyo' }, check: isNow },
  { tool: 'get_current_time', args: {}, check: matches(/^\d\d:\d\d:\d\d on [A-Z][a-z]+day, \d{4}-/) },
  { tool: 'calculate', args: { expression: '(2 + 3) * sqrt(16)' }, check: { result: 20 } },
  { tool: 'calculate', args: { expression: '0.1 + 0.2' }, check: { result: 0.3 } },
  { tool: 'calculate', args: { expression: '200 + 10%' }, check: { result: 220 } },
  { tool: 'calculate', args: { expression: 'combinations(49, 6) + ln(e)' }, check: { result: 13_983_817 } },
  { tool: 'calculate', args: { expression: '2^10 > 1000' }, check: { result: true } },
  { tool: 'generate_uuid', args: {}, check: matches(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab]/) },
  {
    tool: 'generate_uuid',
    args: { count: 3 },
    check: (uuids) => new Set(String(uuids).split('\n')).size === 3,
  },
  { tool: 'system_info', args: {}, check: (told) => isObject(told) && Number(told.cores) > 0 },

  { tool: 'transform_text', args: { text: 'über uns', operation: 'uppercase' }, check: 'ÜBER UNS' },
  { tool: 'transform_text', args: { text: 'ABC', operation: 'lowercase' }, check: 'abc' },
  {
    tool: 'transform_text',
    args: { text: "the dog's day", operation: 'capitalize' },
    check: "The Dog's Day",
  },
  { tool: 'transform_text', args: { text: ' a ', operation: 'trim' }, check: 'a' },
  { tool: 'transform_text', args: { text: ' a \n b ', operation: 'collapse_whitespace' }, check: 'a b' },
  { tool: 'transform_text', args: { text: 'ae\u0301👩‍🚀🇹🇷', operation: 'reverse' }, check: '🇹🇷👩‍🚀e\u0301a' },
  { tool: 'transform_text', args: { text: 'b\na10\na9', operation: 'sort_lines' }, check: 'a9\na10\nb' },
  { tool: 'transform_text', args: { text: 'a\nb\na', operation: 'unique_lines' }, check: 'a\nb' },
  { tool: 'transform_text', args: { text: 'a\n \nb', operation: 'remove_empty_lines' }, check: 'a\nb' },
  { tool: 'transform_text', args: { text: 'a\nb', operation: 'number_lines' }, check: '1. a\n2. b' },
  {
    tool: 'change_case',
    args: { text: 'parseHTTPResponse 2', case: 'snake' },
    check: 'parse_http_response_2',
  },
  { tool: 'change_case', args: { text: 'hello big-world', case: 'camel' }, check: 'helloBigWorld' },
  { tool: 'change_case', args: { text: 'hello_world', case: 'pascal' }, check: 'HelloWorld' },
  { tool: 'change_case', args: { text: 'HelloWorld', case: 'kebab' }, check: 'hello-world' },
  { tool: 'change_case', args: { text: 'helloWorld', case: 'constant' }, check: 'HELLO_WORLD' },
  { tool: 'change_case', args: { text: 'helloWorld', case: 'sentence' }, check: 'Hello world' },
  { tool: 'change_case', args: { text: 'éa-été', case: 'title' }, check: 'Éa Été' },
  { tool: 'change_case', args: { text: 'helloWorld', case: 'dot' }, check: 'hello.world' },
  {
    tool: 'slugify_text',
    args: { text: "Crème brûlée & Łódź — it's ß!" },
    check: 'creme-brulee-lodz-its-ss',
  },
  { tool: 'truncate_text', args: { text: 'one two three', length: 9 }, check: 'one two…' },
  { tool: 'truncate_text', args: { text: 'one two', length: 7 }, check: 'one two' },
  { tool: 'truncate_text', args: { text: 'a😀b', length: 3, at: 'character', ending: '.' }, check: 'a.' },
  {
    tool: 'replace_text',
    args: { text: 'Cat cat dog', find: 'cat', replacement: '$&', ignoreCase: true },
    check: { text: '$& $& dog', replaced: 2 },
  },
  {
    tool: 'replace_text',
    args: { text: 'aaa', find: 'a', replacement: 'b', firstOnly: true },
    check: { text: 'baa', replaced: 1 },
  },
  { tool: 'split_text', args: { text: 'a, b,, c', separator: ',' }, check: ['a', 'b', 'c'] },
  { tool: 'join_text', args: { items: ['a', 'b', 3], lastSeparator: ' and ' }, check: 'a, b and 3' },
  { tool: 'wrap_text', args: { text: 'one two three four', width: 10 }, check: 'one two\nthree four' },
  {
    tool: 'remove_diacritics',
    args: { text: 'Ångström, ệ, Żółw, Straße' },
    check: 'Angstrom, e, Zolw, Strasse',
  },
  {
    tool: 'find_in_text',
    args: { text: 'first\nhas İ and Needle\nneedle', find: 'needle', limit: 1 },
    check: { count: 2, places: [{ index: 16, line: 2, column: 11, excerpt: 'has İ and Needle' }] },
  },
  {
    tool: 'compare_text',
    args: { text1: 'a\nb', text2: 'a\nb' },
    check: { equal: true, similarity: 1, changes: [] },
  },
  {
    tool: 'compare_text',
    args: { text1: 'the old house', text2: 'the new house', by: 'words' },
    check: { equal: false, similarity: 0.769, changes: ['- old', '+ new'] },
  },
  {
    tool: 'regex',
    args: { pattern: '(?<year>\\d{4})-(\\d\\d)', text: 'on 2026-01 and 2027-02', limit: 1 },
    check: {
      count: 1,
      matches: [{ match: '2026-01', index: 3, groups: ['2026', '01'], named: { year: '2026' } }],
      truncated: true,
    },
  },
  {
    tool: 'regex',
    args: {
      pattern: '(\\w+)@(?<host>\\w+)',
      text: 'a@b c@d',
      operation: 'replace',
      replacement: '$<host>:$1$$$9',
    },
    check: { text: 'b:a$$9 d:c$$9', replaced: 2 },
  },
  {
    tool: 'regex',
    args: { pattern: '^b$', text: 'a\nB', operation: 'test', flags: 'im' },
    check: { matches: true },
  },
  {
    tool: 'regex',
    args: { pattern: '\\s*,\\s*', text: 'a , b,c', operation: 'split' },
    check: ['a', 'b', 'c'],
  },
  { tool: 'encode_decode', args: { text: 'ü', operation: 'encode' }, check: 'w7w=' },
  { tool: 'encode_decode', args: { text: 'w7w', operation: 'decode' }, check: 'ü' },
  {
    tool: 'encode_decode',
    args: { text: 'a b&c', operation: 'encode', encoding: 'url' },
    check: 'a%20b%26c',
  },
  {
    tool: 'encode_decode',
    args: { text: '&lt;&#233;&#x1F600;&none;', operation: 'decode', encoding: 'html' },
    check: '<é😀&none;',
  },
  {
    tool: 'hash_text',
    args: { text: 'abc' },
    check: 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
  },
  { tool: 'hash_text', args: { text: 'abc', algorithm: 'md5' }, check: '900150983cd24fb0d6963f7d28e17f72' },

  {
    tool: 'format_date',
    args: { date: '2026-01-30T14:30:00Z', format: 'iso' },
    check: '2026-01-30T14:30:00Z',
  },
  {
    tool: 'format_date',
    args: {
      date: '2026-01-30T14:05:09Z',
      format: 'dddd, D MMMM YYYY h:mm A [o’clock] Z',
      timezone: 'Europe/Istanbul',
    },
    check: 'Friday, 30 January 2026 5:05 PM o’clock +03:00',
  },
  {
    tool: 'format_date',
    args: { date: '2026-01-30', format: 'D. MMMM YYYY', locale: 'de-DE' },
    check: '30. Januar 2026',
  },
  {
    tool: 'format_date',
    args: { date: '2026-07-01T00:00:00Z', format: 'rfc2822', timezone: 'America/New_York' },
    check: 'Tue, 30 Jun 2026 20:00:00 -0400',
  },
  {
    tool: 'date_diff',
    args: { date1: '2026-01-31', date2: '2026-03-01' },
    check: (told) => isObject(told) && told.days === 29 && told.words === '1 month, 1 day',
  },
  {
    tool: 'date_diff',
    args: { date1: '2026-01-02', date2: '2026-01-01', unit: 'hours' },
    check: { hours: -24 },
  },
  { tool: 'date_add', args: { date: '2026-01-31', amount: 1, unit: 'months' }, check: onDay('2026-02-28') },
  { tool: 'date_add', args: { date: '2024-02-29', amount: -1, unit: 'years' }, check: onDay('2023-02-28') },
  {
    tool: 'add_to_date',
    args: { date: '2026-01-31', months: 1, days: 1, hours: 25 },
    check: onDay('2026-03-02'),
  },

  { tool: 'convert_units', args: { value: 100, from: 'km/h', to: 'mph' }, check: converted(62.1371192237) },
  { tool: 'convert_units', args: { value: 1, from: 'kcal', to: 'kJ' }, check: converted(4.184) },
  { tool: 'convert_units', args: { value: 1, from: 'GiB', to: 'MB' }, check: converted(1073.741824) },
  {
    tool: 'convert_temperature',
    args: { value: 100, from: 'celsius', to: 'fahrenheit' },
    check: converted(212),
  },
  { tool: 'convert_length', args: { value: 1, from: 'miles', to: 'kilometers' }, check: converted(1.609344) },
  { tool: 'convert_weight', args: { value: 1, from: 'stone', to: 'pounds' }, check: converted(14) },
  {
    tool: 'convert_time_zone',
    args: { date: '2026-07-01T09:00', from: 'Europe/Berlin', to: 'America/New_York' },
    check: (told) => isObject(told) && isObject(told.to) && told.to.local === '2026-07-01T03:00:00-04:00',
  },
  {
    tool: 'convert_number_base',
    args: { value: '0xFF', from: 16, to: 2 },
    check: (told) => told === 11_111_111,
  },
  { tool: 'convert_number_base', args: { value: '-zz', from: 36, to: 10 }, check: (told) => told === -1295 },
  {
    tool: 'convert_color',
    args: { color: '#36f' },
    check: { hex: '#3366ff', rgb: 'rgb(51, 102, 255)', hsl: 'hsl(225, 100%, 60%)' },
  },
  {
    tool: 'convert_color',
    args: { color: 'hsl(225 100% 60%)' },
    check: { hex: '#3366ff', rgb: 'rgb(51, 102, 255)', hsl: 'hsl(225, 100%, 60%)' },
  },
  {
    tool: 'format_json',
    args: { json: '{ "b": 1, "a": [ ] }', indent: 0, sortKeys: true },
    check: { a: [], b: 1 },
  },
  {
    tool: 'parse_csv',
    args: { csv: 'name,age,age\n"Doe, J",5,6,7\n' },
    check: [{ name: 'Doe, J', age: '5', age_2: '6', column_4: '7' }],
  },
  {
    tool: 'parse_csv',
    args: { csv: 'a;b\r\nc;d', header: false, delimiter: ';' },
    check: [
      ['a', 'b'],
      ['c', 'd'],
    ],
  },
  {
    tool: 'generate_csv',
    args: {
      data: [
        { a: 1, b: 'x,"y"' },
        { b: null, c: true },
      ],
    },
    check: 'a,b,c\n1,"x,""y""",\n,,true',
  },

  { tool: 'generate_password', args: {}, check: matches(/^[!-~]{20}$/) },
  {
    tool: 'generate_random_string',
    args: { length: 12, alphabet: 'hex' },
    check: matches(/^[\da-f]{12}$/, true),
  },
  { tool: 'generate_random_string', args: { length: 5, characters: 'ü' }, check: 'üüüüü' },
  { tool: 'random_number', args: { min: 4, max: 4 }, check: { result: 4 } },
  { tool: 'pick_random', args: { items: ['a'] }, check: ['a'] },
  {
    tool: 'roll_dice',
    args: { dice: '3d6+2' },
    check: (told) => isObject(told) && withinYears(told.total, 5, 20),
  },

  {
    tool: 'extract_urls',
    args: {
      text: 'See (https://a.example/x_(y)). Also http://b.example/?q=1, http://b.example/?q=1 and ftp://c.example.',
    },
    check: ['https://a.example/x_(y)', 'http://b.example/?q=1'],
  },
  {
    tool: 'extract_emails',
    args: { text: 'Mail ann@example.org, <bob+x@mail.example.com>. Not @handle, a@b or x@y..z' },
    check: ['ann@example.org', 'bob+x@mail.example.com'],
  },
  {
    tool: 'extract_numbers',
    args: { text: 'Paid -1,234.50 of 3 for 5-7 in v2 and 2nd' },
    check: { numbers: [-1234.5, 3, 5, 7], sum: -1219.5 },
  },
  {
    tool: 'extract_numbers',
    args: { text: '1.234,5 und 2,5', decimalComma: true },
    check: { numbers: [1234.5, 2.5], sum: 1237 },
  },
  {
    tool: 'extract_from_text',
    args: { text: 'id=12 id=34', pattern: 'id=(\\d+)', group: 1 },
    check: { values: ['12', '34'], truncated: false },
  },

  {
    tool: 'validate_email',
    args: { email: 'a.b@Example.org' },
    check: { valid: true, local: 'a.b', domain: 'example.org' },
  },
  { tool: 'validate_email', args: { email: 'a..b@example.org' }, check: { valid: false } },
  {
    tool: 'validate_url',
    args: { url: 'https://example.org:8080/a?b' },
    check: { valid: true, protocol: 'https', host: 'example.org', port: '8080', path: '/a', query: '?b' },
  },
  { tool: 'validate_url', args: { url: 'javascript:alert(1)' }, check: { valid: false } },
  {
    tool: 'test_regex',
    args: { pattern: 'a+', samples: ['aa', 'ba', 'b'] },
    check: {
      valid: true,
      results: [
        { matches: true, whole: true, found: 'aa' },
        { matches: true, whole: false, found: 'a' },
        { matches: false, whole: false, found: null },
      ],
    },
  },
  {
    tool: 'test_regex',
    args: { pattern: '(', samples: ['x'] },
    check: (told) => isObject(told) && told.valid === false,
  },
  ...(
    [
      ['email', 'a@b.example', 'a@b'],
      ['url', 'https://a.example', 'https://a'],
      ['phone', '+90 312 213 29 65', '+90 1'],
      ['uuid', '3f2504e0-4f89-41d3-9a0c-0305e82c3301', '3f2504e0-4f89-41d3-9a0c-0305e82c330'],
      ['ipv4', '127.0.0.1', '127.0.0.256'],
      ['ipv6', '::1', ':::1'],
      ['date', '2024-02-29', '2023-02-29'],
      ['json', '{"a":1}', '{a:1}'],
      ['number', '-1.5e3', '1,5'],
      ['credit_card', '4111 1111 1111 1111', '4111 1111 1111 1112'],
      ['iban', 'GB82 WEST 1234 5698 7654 32', 'GB82 WEST 1234 5698 7654 33'],
      ['hex_color', '#3366FF', '#3366F'],
    ] as const
  ).flatMap(([type, good, bad]): Example[] => [
    { tool: 'validate', args: { type, value: good }, check: (told) => isObject(told) && told.valid === true },
    { tool: 'validate', args: { type, value: bad }, check: { valid: false } },
  ]),
  {
    tool: 'validate',
    args: { type: 'phone', value: '0312 213 29 65', country: 'TR' },
    check: { valid: true, e164: '+903122132965', country: 'TR', kind: 'FIXED_LINE' },
  },

  { tool: 'sort_list', args: { items: ['b10', 'B9', 'ä', 3, 20] }, check: [3, 20, 'ä', 'B9', 'b10'] },
  {
    tool: 'sort_list',
    args: { items: ['aaa', 'b'], by: 'length', order: 'descending' },
    check: ['aaa', 'b'],
  },
  {
    tool: 'deduplicate',
    args: { items: ['a', 'A ', 'a', 1, '1'], ignoreCase: true, trim: true },
    check: { items: ['a', 1, '1'], removed: 2 },
  },
  {
    tool: 'create_table',
    args: { rows: [{ a: 1, b: 'x|y\nz' }, { a: 2 }], align: 'right' },
    check: '| a | b |\n| ---: | ---: |\n| 1 | x\\|y<br>z |\n| 2 |  |',
  },
  { tool: 'create_table', args: { rows: [['h'], ['v', 'beyond']] }, check: '| h |\n| --- |\n| v |' },
  ...(
    [
      [{ operation: 'sort', key: 'a', order: 'descending' }, [{ a: 2 }, { a: 1 }, { a: 1 }]],
      [{ operation: 'reverse' }, [{ a: 1 }, { a: 2 }, { a: 1 }]],
      [{ operation: 'unique' }, [{ a: 1 }, { a: 2 }]],
      [{ operation: 'filter', key: 'a', comparison: 'greater', value: 1 }, [{ a: 2 }]],
      [{ operation: 'filter', key: 'a', comparison: 'not_equals', value: 1 }, [{ a: 2 }]],
      [{ operation: 'filter', key: 'constructor', comparison: 'exists' }, []],
      [{ operation: 'chunk', size: 2 }, [[{ a: 1 }, { a: 2 }], [{ a: 1 }]]],
      [{ operation: 'slice', start: -1 }, [{ a: 1 }]],
      [{ operation: 'pluck', key: 'a' }, [1, 2, 1]],
      [
        { operation: 'group', key: 'a' },
        { 1: [{ a: 1 }, { a: 1 }], 2: [{ a: 2 }] },
      ],
      [
        { operation: 'count', key: 'a' },
        { 1: 2, 2: 1 },
      ],
    ] as [JsonObject, JsonObject | unknown[]][]
  ).map(
    ([args, check]): Example => ({
      tool: 'array_operations',
      args: { array: [{ a: 1 }, { a: 2 }, { a: 1 }], ...args },
      check,
    }),
  ),
  { tool: 'array_operations', args: { array: [1, [2, [3]]], operation: 'flatten' }, check: [1, 2, 3] },
  {
    tool: 'array_operations',
    args: { array: ['Ann', 'Bob'], operation: 'filter', comparison: 'contains', value: 'an' },
    check: ['Ann'],
  },

  { tool: 'calculate_percentage', args: { operation: 'percent_of', x: 15, y: 80 }, check: { result: 12 } },
  {
    tool: 'calculate_percentage',
    args: { operation: 'share', x: 1, y: 3 },
    check: { result: 33.3333333333, unit: '%' },
  },
  {
    tool: 'calculate_percentage',
    args: { operation: 'change', x: 80, y: 60 },
    check: { result: -25, unit: '%' },
  },
  {
    tool: 'statistics',
    args: { numbers: [2, 4, 4, 4, 5, 5, 7, 9] },
    check: {
      count: 8,
      sum: 40,
      mean: 5,
      median: 4.5,
      min: 2,
      max: 9,
      range: 7,
      variance: 4,
      std: 2,
      sampleVariance: 4.5714285714286,
      sampleStd: 2.1380899352994,
      q1: 4,
      q3: 5.5,
      iqr: 1.5,
      mode: [4],
    },
  },
  {
    tool: 'calculate_statistics',
    args: { numbers: [1, 2, 3, 4], measures: ['mean', 'mode'] },
    check: { mean: 2.5, mode: [] },
  },
  {
    tool: 'count_text',
    args: { text: "It's one. Two, e.g. here!\n\nThree?" },
    check: {
      words: 7,
      characters: 33,
      charactersWithoutSpaces: 27,
      sentences: 4,
      lines: 3,
      paragraphs: 2,
      readingMinutes: 1,
    },
  },
  {
    tool: 'count_words',
    args: { text: 'The dog and the cat', top: 1 },
    check: { words: 5, unique: 4, top: [{ word: 'the', count: 2 }] },
  },
]

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

function matches(shape: RegExp, evenAsNumber = false): (answer: unknown) => boolean {
  return (answer) => (evenAsNumber ? true : typeof answer === 'string') && shape.test(String(answer))
}

function converted(result: number): (answer: unknown) => boolean {
  return (answer) => isObject(answer) && answer.result === result
}

function onDay(date: string): (answer: unknown) => boolean {
  return (answer) => isObject(answer) && answer.date === date
}

function withinYears(value: unknown, least: number, most: number): boolean {
  return Number(value) >= least && Number(value) <= most
}

function isNow(answer: unknown): boolean {
  return (
    isObject(answer) &&
    Math.abs(Number(answer.unixMs) - Date.now()) < 60_000 &&
    answer.timezone === 'Asia/Tokyo'
  )
}
