import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const source = join(import.meta.dirname, '..')

/**
 * A command that stands there to be typed, rather than behind a button that copies it. In words it is named where a
 * page cannot do anything yet: before its browser is paired.
 */
function shownIn(code: string): readonly string[] {
  const asText = code.match(/>[^<>{}=]*\bcountersign [a-z][^<{]*/g) ?? []
  const asPart = code.match(/<(?!Copy)\w+\b[^<>]*\btext=(?:"|\{`)countersign[^<>]*/g) ?? []
  return [...asText, ...asPart]
}

test('finds a command wherever it is shown', () => {
  expect(shownIn('<pre>$ countersign up</pre>')).toHaveLength(1)
  expect(shownIn('<Command text="countersign up" className="my-1" />')).toHaveLength(1)
  expect(shownIn('<Mono text={`countersign run show ${id}`} />')).toHaveLength(1)
  expect(shownIn('<p>{words.up} <CopyCommand text="countersign up" /></p>')).toEqual([])
})

test('no page shows a command as the way to do something', () => {
  // What is typed on another computer, which command a request claims to come from, so that nobody approves it here, and
  // what only the computer of the gateway may do: the addresses of the app.
  const told = [
    'words/devices.tsx',
    'screens/devices/add-device-dialog.tsx',
    'screens/devices/add-origin-dialog.tsx',
    'screens/devices/request-card.tsx',
    'words/de/devices.tsx',
  ]
  const pages = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith('.tsx'),
  )
  const shown = pages.filter((path) => shownIn(readFileSync(join(source, path), 'utf8')).length > 0)
  expect(shown.toSorted()).toEqual(told.toSorted())
})
