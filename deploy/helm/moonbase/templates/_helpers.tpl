{{- define "moonbase.name" -}}
{{- if contains "moonbase" .Release.Name }}{{ .Release.Name | trunc 50 | trimSuffix "-" }}
{{- else }}{{ printf "%s-moonbase" .Release.Name | trunc 50 | trimSuffix "-" }}{{ end }}
{{- end }}

{{- define "moonbase.selector" -}}
app.kubernetes.io/name: moonbase
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "moonbase.labels" -}}
{{ include "moonbase.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{- end }}

{{- define "moonbase.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}

{{- /* The profile "restricted" of the Pod Security Standards, and a root that nothing writes to. */ -}}
{{- define "moonbase.podSecurity" -}}
runAsNonRoot: true
runAsUser: 10001
runAsGroup: 10001
fsGroup: 10001
seccompProfile: { type: RuntimeDefault }
{{- end }}

{{- define "moonbase.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end }}

{{- define "moonbase.environment" -}}
envFrom:
  - secretRef: { name: {{ .Values.existingSecret }} }
env:
  - { name: MOONBASE_PUBLIC_URL, value: {{ .Values.publicUrl | quote }} }
  - { name: MOONBASE_DRAIN_SECONDS, value: {{ .Values.drainSeconds | quote }} }
  {{- with .Values.trustedProxies }}
  - { name: MOONBASE_TRUSTED_PROXIES, value: {{ . | quote }} }
  {{- end }}
  {{- range $name, $value := .Values.settings }}
  - { name: {{ $name }}, value: {{ $value | quote }} }
  {{- end }}
{{- end }}

{{- define "moonbase.mounts" -}}
volumeMounts:
  - { name: tmp, mountPath: /tmp }
  - { name: data, mountPath: /data }
{{- end }}

{{- /* Without a claim nothing is kept in either: all is in PostgreSQL and the bucket, and data is a cache of git objects. */ -}}
{{- define "moonbase.volumes" -}}
volumes:
  - { name: tmp, emptyDir: {} }
  {{- if .Values.dataClaim }}
  - { name: data, persistentVolumeClaim: { claimName: {{ .Values.dataClaim | quote }} } }
  {{- else }}
  - { name: data, emptyDir: {} }
  {{- end }}
{{- end }}

{{- /* A Deployment of one role: (dict "root" . "role" "api" "of" .Values.api) */ -}}
{{- define "moonbase.deployment" -}}
{{- $root := .root -}}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ include "moonbase.name" $root }}-{{ .role }}
  labels:
    {{- include "moonbase.labels" $root | nindent 4 }}
    app.kubernetes.io/component: {{ .role }}
spec:
  {{- if not (dig "autoscaling" "enabled" false .of) }}
  replicas: {{ .of.replicas }}
  {{- end }}
  selector:
    matchLabels:
      {{- include "moonbase.selector" $root | nindent 6 }}
      app.kubernetes.io/component: {{ .role }}
  strategy:
    type: RollingUpdate
    rollingUpdate: { maxUnavailable: 0, maxSurge: 1 }
  template:
    metadata:
      labels:
        {{- with $root.Values.podLabels }}{{ toYaml . | nindent 8 }}{{ end }}
        {{- include "moonbase.labels" $root | nindent 8 }}
        app.kubernetes.io/component: {{ .role }}
      {{- with $root.Values.podAnnotations }}
      annotations: {{- toYaml . | nindent 8 }}
      {{- end }}
    spec:
      automountServiceAccountToken: false
      securityContext: {{- include "moonbase.podSecurity" $root | nindent 8 }}
      {{- with $root.Values.imagePullSecrets }}
      imagePullSecrets: {{- toYaml . | nindent 8 }}
      {{- end }}
      # The drain replaces a preStop hook; deliveries in flight end after it.
      terminationGracePeriodSeconds: {{ add $root.Values.drainSeconds 30 }}
      topologySpreadConstraints:
        - maxSkew: 1
          topologyKey: kubernetes.io/hostname
          whenUnsatisfiable: ScheduleAnyway
          labelSelector:
            matchLabels:
              {{- include "moonbase.selector" $root | nindent 14 }}
              app.kubernetes.io/component: {{ .role }}
      {{- with $root.Values.nodeSelector }}
      nodeSelector: {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with $root.Values.tolerations }}
      tolerations: {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with $root.Values.affinity }}
      affinity: {{- toYaml . | nindent 8 }}
      {{- end }}
      containers:
        - name: hub
          image: {{ include "moonbase.image" $root | quote }}
          imagePullPolicy: {{ $root.Values.image.pullPolicy }}
          args: [serve]
          {{- include "moonbase.environment" $root | nindent 10 }}
            - { name: MOONBASE_ROLE, value: {{ .role }} }
          ports:
            - { name: http, containerPort: 7780 }
          startupProbe:
            httpGet: { path: /health, port: http }
            periodSeconds: 2
            failureThreshold: 60
          livenessProbe:
            httpGet: { path: /health, port: http }
            periodSeconds: 10
            timeoutSeconds: 5
            failureThreshold: 6
          readinessProbe:
            httpGet: { path: /ready, port: http }
            periodSeconds: 5
            timeoutSeconds: 3
            failureThreshold: 2
          resources: {{- toYaml .of.resources | nindent 12 }}
          securityContext: {{- include "moonbase.containerSecurity" $root | nindent 12 }}
          {{- include "moonbase.mounts" $root | nindent 10 }}
      {{- include "moonbase.volumes" $root | nindent 6 }}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: {{ include "moonbase.name" $root }}-{{ .role }}
  labels: {{- include "moonbase.labels" $root | nindent 4 }}
spec:
  maxUnavailable: {{ .of.disruption.maxUnavailable }}
  selector:
    matchLabels:
      {{- include "moonbase.selector" $root | nindent 6 }}
      app.kubernetes.io/component: {{ .role }}
{{- end }}
