import { describe, expect, it } from 'vitest'
import { dockerPlaces } from './docker-places.ts'
import { noDocker } from './find-docker.ts'

const guesses = (...paths: readonly string[]) => paths.map((path) => ({ endpoint: `unix://${path}`, isNamed: false }))

describe('where a Docker Engine may listen', () => {
  it('is the usual socket, that of a daemon without root, and those of a desktop', () => {
    expect(dockerPlaces({}, '/people/me', 1000)).toEqual(
      guesses(
        '/var/run/docker.sock',
        '/run/user/1000/docker.sock',
        '/people/me/.docker/run/docker.sock',
        '/people/me/.docker/desktop/docker.sock',
      ),
    )
    expect(dockerPlaces({ XDG_RUNTIME_DIR: '/run/mine' }, '/people/me', 1000)[1]?.endpoint).toBe(
      'unix:///run/mine/docker.sock',
    )
    expect(dockerPlaces({}, '/people/me', undefined)).toHaveLength(3)
  })

  it('is nowhere else when it was said where; a variable that is empty says nothing', () => {
    expect(dockerPlaces({ DOCKER_HOST: 'unix:///mine.sock' }, '/people/me', 0)).toEqual([
      { endpoint: 'unix:///mine.sock', isNamed: true },
    ])
    expect(dockerPlaces({ DOCKER_HOST: '' }, '/people/me', 0)[0]?.isNamed).toBe(false)
  })

  it('has a certificate where the variables of Docker say so', () => {
    const env = { DOCKER_HOST: 'tcp://east:2376', DOCKER_TLS_VERIFY: '1' }
    expect(dockerPlaces(env, '/people/me', 0)[0]?.certificates).toBe('/people/me/.docker')
    expect(dockerPlaces({ ...env, DOCKER_CERT_PATH: '/certs' }, '/people/me', 0)[0]?.certificates).toBe('/certs')
    expect(dockerPlaces({ ...env, DOCKER_TLS_VERIFY: '' }, '/people/me', 0)[0]).not.toHaveProperty('certificates')
  })
})

describe('where there is none', () => {
  it('says where it was looked for, and what to do', () => {
    const tried = [
      { endpoint: 'unix:///var/run/docker.sock', isNamed: false, trouble: 'ENOENT' },
      { endpoint: 'unix:///run/user/0/docker.sock', isNamed: false, trouble: 'ECONNREFUSED' },
    ]
    expect(noDocker(tried)).toMatchObject({
      reason: 'engine_unreachable',
      message:
        'There is no Docker Engine on this machine that answers; looked at unix:///var/run/docker.sock (not there), ' +
        'unix:///run/user/0/docker.sock (nobody listens). Start Docker, set DOCKER_HOST, or say where it is with --endpoint',
    })
  })

  it('says whose socket it is where that is all that is in the way', () => {
    const tried = [{ endpoint: 'unix:///var/run/docker.sock', isNamed: false, trouble: 'EACCES' }]
    expect(noDocker(tried).message).toMatch(
      /docker\.sock \(not for this user\)\. Become a member of the group that \/var\/run\/docker\.sock belongs to/,
    )
  })
})
