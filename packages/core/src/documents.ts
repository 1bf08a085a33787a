/** For programs that read files and leave judging them to the server: importing these loads no schemas. */
export { envIsText, type ParsedDocument, type ParseOptions, parseDocuments } from './document/parse-documents.ts'
export { withPlaces } from './kinds/workload/places.ts'
