/** The way to what a failure is told with that loads nothing else of the contract. */
export { CountersignError, errorCatalogue, forDisplay } from '@countersign/contract'
