import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openBench } from 'countersign/bench'
import { markdownOutline } from './markdown-outline.ts'

const bench = await openBench(markdownOutline)
after(() => bench.close())

const plan = '# Plan\n\n## First\n\n```\n# no heading\n```\n\n### Deep\n'

test('lists the headings, and names the file that it read', async () => {
  await bench.start({ files: { 'plan.md': plan } })
  const call = await bench.call({ path: 'plan.md' })
  assert.ok(call.made, call.made ? '' : call.reason)
  assert.equal(call.result.text, 'Plan\n  First\n    Deep')
  assert.deepEqual(
    call.effects.map(({ verb, object }) => [verb, object]),
    [['read', 'plan.md']],
  )
})

test('goes as deep as it is told', async () => {
  await bench.start({ files: { 'plan.md': plan } })
  const call = await bench.call({ path: 'plan.md', depth: 1 })
  assert.ok(call.made, call.made ? '' : call.reason)
  assert.equal(call.result.text, 'Plan')
})

test('changes nothing', async () => {
  await bench.start({ files: { 'plan.md': plan } })
  const before = bench.state()
  await bench.call({ path: 'plan.md' })
  assert.deepEqual(bench.state(), before)
})

test('refuses a file outside the workspace, and one that is not there', async () => {
  assert.equal((await bench.call({ path: '/etc/hostname' })).made, false)
  assert.equal((await bench.call({ path: 'nowhere.md' })).made, false)
})
