import assert from 'node:assert/strict'
import { test } from 'node:test'
import { callTool } from 'countersign/tools'
import tools from '../src/plugin.ts'

test('says millilitres of what is poured, and grams of what is weighed', async () => {
  assert.equal(await callTool(tools, 'to_metric', { amount: 1.5, measure: 'cup' }), '360 ml')
  assert.equal(await callTool(tools, 'to_metric', { amount: 2, measure: 'stick of butter' }), '226 g')
})

test('refuses a measure that it does not know', async () => {
  await assert.rejects(callTool(tools, 'to_metric', { amount: 1, measure: 'hogshead' }), /Wrong arguments/)
})
