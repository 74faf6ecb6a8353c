from .messages import ImagesReady as ImagesReady, RunReleased as RunReleased, RunStarted as RunStarted
