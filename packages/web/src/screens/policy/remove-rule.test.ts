import { expect, test } from 'vitest'
import { holdsRule, withoutRule } from './remove-rule.ts'

const first = '@id("a")\nforbid (principal, action, resource == Tool::"a");'
const second = '@id("b")\nforbid (principal, action, resource == Tool::"b");'
const files = [
  { name: 'denied.cedar', text: `${first}\n${second}\n` },
  { name: 'mail.cedar', text: `// why\n${first}\n` },
]

test('a rule goes out of its own file and leaves the others as they are', () => {
  const left = withoutRule({ files }, { file: 'denied.cedar', text: first })
  expect(left).toEqual([{ name: 'denied.cedar', text: `${second}\n` }, files[1]])
  expect(holdsRule({ files: left }, { file: 'denied.cedar', text: first })).toBe(false)
  expect(holdsRule({ files: left }, { file: 'mail.cedar', text: first })).toBe(true)
})

test('a file goes with its last rule, unless something else is written in it', () => {
  const left = withoutRule(
    { files: [{ name: 'denied.cedar', text: `${second}\n` }] },
    { file: 'denied.cedar', text: second },
  )
  expect(left).toEqual([])
  expect(withoutRule({ files }, { file: 'mail.cedar', text: first })[1]).toEqual({
    name: 'mail.cedar',
    text: '// why\n',
  })
})
