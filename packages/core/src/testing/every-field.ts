/** The file of the design, with every field of a workload in it. */
export const everyField = `
apiVersion: gantry/v1
kind: Workload
metadata: { name: hello, tenant: shop, labels: { team: web }, annotations: { example.com/note: "kept" } }
spec:
  provider: local
  type: deployment
  replicas: 2
  run: running
  services:
    - name: web
      role: main
      image: registry/app:1.2
      imagePullPolicy: if_not_present
      imagePullSecret: registry
      command: [node, server.mjs]
      args: []
      workingDir: /srv/app
      user: "1000:1000"
      env: { GREETING: hello, WORKERS: 4, DEBUG: false }
      ports: [{ name: http, port: 8080, protocol: http, hostPort: 0, bind: 127.0.0.1 }]
      resources: { cpu: 250m, memory: 64Mi, disk: 1Gi, pids: 200, gpu: { count: 0, type: "" }, bestEffort: false }
      requests: { cpu: 100m, memory: 32Mi }
      healthCheck: { http: { port: http, path: /healthz }, intervalSeconds: 2, timeoutSeconds: 1, successThreshold: 1, failureThreshold: 3, startSeconds: 30, onUnhealthy: drain }
      volumes: [{ name: data, path: /data, size: 1Gi, type: persistent, retain: true }]
      configFiles: [{ name: app, path: /etc/app.yaml, format: yaml, content: "a: 1", mode: "0444" }]
      secrets: [{ name: database, key: url, env: DATABASE_URL }, { name: tls, key: cert, file: /run/secrets/cert }]
      dependsOn: [{ service: migrate, until: completed }]
      annotations: {}
    - name: migrate
      role: init
      image: registry/app:1.2
      command: [node, migrate.mjs]
  dependsOn: [{ workload: db }]
  restart: { policy: always, maxPerHour: 20 }
  strategy: { type: rolling, maxSurge: 1, maxUnavailable: 0, minReadySeconds: 2, progressDeadlineSeconds: 120, onFailure: rollback }
  stopGraceSeconds: 10
  expose: none
  engine:
    kubernetes:
      serviceAccount: hello
      nodeSelector: { disk: fast }
      tolerations: [{ key: dedicated, operator: Equal, value: web, effect: NoExecute, tolerationSeconds: 60 }]
      storageClass: fast
`
