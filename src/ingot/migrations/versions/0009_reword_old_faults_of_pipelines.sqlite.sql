UPDATE pipelines SET yaml_errors = 'The configuration was faulty. Run the pipeline again to see how.' WHERE yaml_errors IS NOT NULL
