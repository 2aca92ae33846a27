{{- define "ingot.name" -}}
{{ .Release.Name }}
{{- end }}

{{- define "ingot.labels" -}}
app.kubernetes.io/name: ingot
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "ingot.secret" -}}
{{ .Values.secret.existing | default (include "ingot.name" .) }}
{{- end }}

{{- define "ingot.claim" -}}
{{ .Values.repositories.existingClaim | default (printf "%s-repositories" (include "ingot.name" .)) }}
{{- end }}

{{- define "ingot.pod" -}}
# Variables that Kubernetes makes from the names of services look like settings of Ingot.
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  runAsUser: 999
  fsGroup: 999
volumes:
  - name: repositories
    persistentVolumeClaim:
      claimName: {{ include "ingot.claim" . }}
  - name: data
    emptyDir: {}
{{- end }}

{{- define "ingot.container" -}}
image: "{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}"
imagePullPolicy: {{ .Values.image.pullPolicy }}
envFrom:
  - configMapRef:
      name: {{ include "ingot.name" . }}
  - secretRef:
      name: {{ include "ingot.secret" . }}
securityContext:
  allowPrivilegeEscalation: false
  capabilities:
    drop: ["ALL"]
volumeMounts:
  - name: repositories
    mountPath: /repositories
  - name: data
    mountPath: /var/lib/ingot
{{- end }}
