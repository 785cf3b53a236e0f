export * from './bare-hands.ts'
