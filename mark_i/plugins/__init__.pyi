from .scaffold import write_sample as write_sample
