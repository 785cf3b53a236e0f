export type { BilledCall, BillPrice, BillPrices } from './bill.ts'
export { faultyReplies } from './faults.ts'
export { type MediaServer, type MediaServerOptions, onePixel, startMediaServer } from './media-server.ts'
export { basePaths } from './places.ts'
export { parseRules, type Rule, scriptFromRules } from './rules.ts'
export type * from './script.ts'
export {
  type ModelServer,
  type ModelServerOptions,
  type ReceivedRequest,
  startModelServer,
} from './server.ts'
