/** The version of this program. A test holds it to package.json, which is not read so that nothing is read at all. */
export const ownVersion = '0.1.0'
