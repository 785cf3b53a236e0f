export * from './bare-hands.ts'
export * from './desk.ts'
export * from './records.ts'
export * from './records-contract.ts'
