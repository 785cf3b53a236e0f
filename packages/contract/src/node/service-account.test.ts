import { describe, expect, it } from 'vitest'
import { serviceAccount } from './service-account.ts'

describe('the account of a service', () => {
  it('is the same for the same place, and never that of another service', () => {
    for (const place of ['/a', '/b', '/var/lib/countersign']) {
      const [database, browser] = [serviceAccount('database', place), serviceAccount('browser', place)]
      expect(serviceAccount('database', place)).toEqual(database)
      expect(database.uid).toBeLessThan(58_000)
      expect(browser.uid).toBeGreaterThanOrEqual(58_000)
      for (const { uid } of [database, browser]) expect(uid).toBeGreaterThan(55_999)
    }
  })
})
