import assert from 'node:assert/strict'
import { test } from 'node:test'
import { callTool } from 'countersign/tools'
import tools, { weatherWords } from '../src/plugin.ts'

test('says what the service answered', () => {
  const current = { temperature_2m: 11.5, wind_speed_10m: 9, precipitation: 0 }
  assert.equal(weatherWords({ current }), '11.5 °C, wind 9 km/h, no rain')
})

test('refuses an answer of another form, and a place that is none', async () => {
  assert.throws(() => weatherWords({ current: {} }))
  await assert.rejects(callTool(tools, 'weather_now', { latitude: 91, longitude: 0 }), /Wrong arguments/)
})
