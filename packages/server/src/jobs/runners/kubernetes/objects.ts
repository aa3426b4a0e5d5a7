/* The fields of the objects of the Kubernetes API that the hub reads. */

export interface Metadata {
  readonly name: string;
  readonly uid: string;
  readonly resourceVersion?: string;
  readonly creationTimestamp?: string;
  readonly deletionTimestamp?: string;
  readonly labels?: Readonly<Record<string, string>>;
}

export interface KubernetesObject {
  readonly metadata: Metadata;
}

export interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
}

export interface JobObject extends KubernetesObject {
  readonly spec?: { readonly suspend?: boolean };
  readonly status?: { readonly startTime?: string; readonly conditions?: readonly Condition[] };
}

export interface ContainerState {
  readonly waiting?: { readonly reason?: string; readonly message?: string };
  readonly running?: object;
  readonly terminated?: { readonly exitCode: number; readonly reason?: string; readonly message?: string };
}

export interface PodObject extends KubernetesObject {
  readonly status?: {
    readonly phase?: string;
    readonly reason?: string;
    readonly message?: string;
    readonly conditions?: readonly Condition[];
    readonly containerStatuses?: readonly { readonly name: string; readonly state?: ContainerState }[];
  };
}

export interface ObjectList<T> {
  readonly metadata: { readonly resourceVersion: string; readonly continue?: string };
  readonly items: readonly T[];
}
